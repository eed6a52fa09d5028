using ApexShop.Commands.Api.Operations.Console;

namespace ApexShop.Commands.Api.Tests.Operations.Console;

public sealed class ProjectionStatusReaderTests
{
    [Fact]
    public void Histograms_of_several_Projectors_and_labels_are_added_up()
    {
        string[] pages =
        [
            """
            # TYPE apexshop_visible_duration_seconds histogram
            apexshop_visible_duration_seconds_bucket{via="message",le="0.01"} 3
            apexshop_visible_duration_seconds_bucket{via="message",le="0.005"} 1
            apexshop_visible_duration_seconds_bucket{via="message",le="+Inf"} 4
            apexshop_visible_duration_seconds_bucket{via="log",le="0.005"} 0
            apexshop_visible_duration_seconds_bucket{via="log",le="0.01"} 0
            apexshop_visible_duration_seconds_bucket{via="log",le="+Inf"} 1
            apexshop_visible_duration_seconds_sum{via="message"} 7.5
            apexshop_visible_duration_seconds_count{via="message"} 4
            """,
            "apexshop_visible_duration_seconds_bucket{le=\"0.01\"} "
            + "10\napexshop_visible_duration_seconds_bucket{le=\"+Inf\"} 10",
        ];

        ProjectionStatusReader.VisibleOf(pages).ShouldBe([new(0.005, 1), new(0.01, 13), new(null, 15)]);
    }

    [Fact]
    public void The_queue_depth_is_the_largest_that_a_page_reports()
    {
        ProjectionStatusReader.QueueDepthOf(
            ["apexshop_queue_messages 3\napexshop_queue_messages_other 9", "", "apexshop_queue_messages 4"])
                .ShouldBe(4);
        ProjectionStatusReader.QueueDepthOf(["apexshop_queue_messages_other 9"]).ShouldBeNull();
    }

    [Theory]
    [InlineData("")]
    [InlineData("apexshop_visible_duration_seconds_bucket 5\napexshop_visible_duration_seconds_bucket{le=\"x\"} "
        + "5\napexshop_visible_duration_seconds_bucket{}")]
    public void A_page_without_the_histogram_has_no_changes(string page)
    {
        ProjectionStatusReader.VisibleOf([page]).ShouldBeEmpty();
        ProjectionStatusReader.VisibleOf([]).ShouldBeNull();
    }
}
