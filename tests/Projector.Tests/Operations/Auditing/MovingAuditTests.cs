using System.Text.Json;
using ApexShop.Events;
using ApexShop.Operations;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Operations.Auditing;
using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;
using ApexShop.Telemetry;
using ApexShop.TestKit;
using ApexShop.TestKit.Metrics;
using Microsoft.Extensions.Logging.Abstractions;

namespace ApexShop.Projector.Tests.Operations.Auditing;

/// <summary>Audits while the shop goes on.</summary>
public sealed class MovingAuditTests(ReadStore store) : AuditTest(store)
{
    [Fact]
    public async Task A_change_that_is_not_applied_yet_is_no_difference()
    {
        await ShopAsync();
        History.Product(4, "Renamed");
        History.Product(29, "New");
        History.Delete(Resource.Products.Name, 5);
        // Two looks at the tables pass before the projection gets on.
        Tables.BeforeAggregates = () => Tables.Looks == 3 ? ProjectAsync() : Task.CompletedTask;

        var audited = await AuditAsync();

        Tables.Looks.ShouldBe(4);
        audited.Texts.ShouldBeEmpty();
        audited.Summary.NotCompared.ShouldBe(0);
    }

    [Fact]
    public async Task An_event_that_waits_for_its_position_is_a_change_not_applied_yet()
    {
        await ShopAsync();
        Tables.Waiting.Add((Resource.Products.Name, 4));
        Tables.GoneByHand.Add((Resource.Products.Name, 4));
        Tables.BeforeAggregates = async () =>
        {
            if (Tables.Looks != 2) return;
            Tables.Waiting.Clear();
            History.Delete(Resource.Products.Name, 4);
            await ProjectAsync();
        };

        (await AuditAsync()).Texts.ShouldBeEmpty();
        Tables.Looks.ShouldBe(3);
    }

    [Fact]
    public async Task A_row_whose_event_waits_for_its_position_is_no_difference()
    {
        await ShopAsync();
        var waiting = History.Product(4, "Renamed");
        History.Forget(waiting);
        Tables.ByHand[(Resource.Products.Name, 4)] = waiting.Data.ToArray();
        Tables.Waiting.Add((Resource.Products.Name, 4));
        Tables.BeforeAggregates = async () =>
        {
            if (Tables.Looks != 2) return;
            Tables.Waiting.Clear();
            History.Product(4, "Renamed");
            await ProjectAsync();
        };

        (await AuditAsync()).Texts.ShouldBeEmpty();
    }

    [Fact]
    public async Task A_document_that_changes_all_the_time_has_no_difference_once_its_version_increased()
    {
        await ShopAsync();
        History.Product(4, "Name 0");
        // At each look the tables are ahead, and what they said before is passed.
        Tables.BeforeAggregates = async () =>
        {
            await ProjectAsync();
            History.Product(4, $"Passing {Tables.Looks}");
            await ProjectAsync();
            History.Product(4, $"Next {Tables.Looks}");
            History.Product(4, $"Last {Tables.Looks}");
        };

        var audited = await AuditAsync();

        audited.Texts.ShouldBeEmpty();
        audited.Summary.NotCompared.ShouldBe(0);
        Tables.Looks.ShouldBe(3);
    }

    [Fact]
    public async Task A_difference_is_found_among_changes_that_are_not_applied_yet()
    {
        await ShopAsync();
        await Store.ExecuteAsync(
            "UPDATE read.products SET stock = stock + 1 WHERE id = 8; DELETE FROM read.products WHERE id = 10");
        History.Product(4, "Renamed");
        Tables.BeforeAggregates = () => Tables.Looks == 2 ? ProjectAsync() : Task.CompletedTask;

        (await AuditAsync()).Texts.ShouldContain("products/8 columns");
        (await AuditAsync()).Texts.ShouldContain("products/10 missing");
    }

    [Fact]
    public async Task A_document_that_lost_an_event_is_behind_once_the_checkpoint_has_passed_it()
    {
        await ShopAsync();
        var lost = History.Product(4, "Renamed");
        await Store.ExecuteAsync($"UPDATE read.checkpoints SET position = {lost.Position} WHERE resource = 'products'");

        (await AuditAsync()).Texts.ShouldBe(["products/4 behind"]);
        (await AuditAsync(repair: true)).Differences.Single().Repaired.ShouldBe(true);
        (await Store.BodyAsync("products", 4)).ShouldNotBeNull().ShouldContain("Renamed");
    }

    [Fact]
    public async Task A_projection_without_progress_leaves_documents_uncompared_and_is_waited_for_once()
    {
        Options.Patience = TimeSpan.FromMilliseconds(300);
        await ShopAsync();
        History.Product(4, "Renamed");
        History.Product(1003, "Renamed");
        History.Review(4, product: 4, user: 1, rating: 1);

        var audited = await AuditAsync();

        audited.Texts.ShouldBeEmpty();
        audited.Summary.NotCompared.ShouldBe(3);
        Tables.Looks.ShouldBeLessThanOrEqualTo(5, "only the first bucket is waited for");
    }

    [Fact]
    public async Task A_parked_aggregate_is_reported_as_parked()
    {
        await ShopAsync();
        var poison = History.Add(
            Resource.Products.Name, EventTypes.ProductUpdated, 4, "{\"id\":4,\"version\":2}"u8.ToArray(), 2);
        await Projector.ApplyAsync(poison);

        var audited = await AuditAsync();

        audited.Texts.ShouldBe(["products/4 parked"]);
        (await AuditAsync(repair: true)).Differences.Single().Repaired.ShouldBe(false);
    }

    [Fact]
    public async Task Two_audits_do_not_run_at_the_same_time_and_a_cancelled_one_releases_its_lock()
    {
        await ShopAsync();
        var first = (await Auditor.BeginAsync(Whole, CancellationToken.None)).ShouldNotBeNull();
        var lines = first.GetAsyncEnumerator();
        (await lines.MoveNextAsync()).ShouldBeTrue();

        (await Auditor.BeginAsync(Whole, CancellationToken.None)).ShouldBeNull();
        await lines.DisposeAsync();

        (await AuditAsync()).Texts.ShouldBeEmpty();
    }

    [Fact]
    public async Task The_gauge_shows_what_the_last_audit_left()
    {
        await ShopAsync();
        await Store.ExecuteAsync("UPDATE read.orders SET status = 'Lost' WHERE id = 4");
        using var gauge = new DriftGauge(
            Record,
            Projector.Meters,
            Microsoft.Extensions.Options.Options.Create(new TelemetryOptions { SampleSeconds = 0.1 }),
            TimeProvider.System,
            NullLogger<DriftGauge>.Instance);
        using var page = new MeterReader(Projector.Meters);
        await gauge.StartAsync(CancellationToken.None);

        Drift(Resource.Orders).ShouldBeNull();
        await AuditAsync();
        await Eventually.Holds(() => Drift(Resource.Orders) == 1, "the gauge has the difference");
        Drift(Resource.Products).ShouldBe(0);
        await LinesAsync(Whole with { From = AuditPosition.Parse("derived/products/0").ShouldNotBeNull() });
        (await Record.LastAsync(CancellationToken.None)).Drift[Resource.Orders.Name]
            .ShouldBe(1, "the rest of an audit leaves what the whole one found");
        await AuditAsync(repair: true);
        await Eventually.Holds(() => Drift(Resource.Orders) == 0, "the gauge has the repair");
        await Store.ExecuteAsync("UPDATE read.audit_record SET ended = now() - interval '5 days'");
        await Eventually.Holds(
            () => page.Read().Value("apexshop_audit_age_seconds") is > 4 * 86_400 and < 6 * 86_400,
            "the gauge has the age");
        await gauge.StopAsync(CancellationToken.None);

        double? Drift(Resource resource) =>
            page.Read().Value("apexshop_documents_drift", "resource", resource.Name);
    }

    [Fact]
    public async Task An_unavailable_write_side_ends_the_audit_with_its_own_exception()
    {
        await ShopAsync();
        History.Available = false;
        var lines = (await Auditor.BeginAsync(Whole, CancellationToken.None)).ShouldNotBeNull();

        await Should.ThrowAsync<EventLogException>(async () => await lines.ToListAsync());
        History.Available = true;
        (await AuditAsync()).Texts.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("\" \\ / \\u0022 \u00e9 <&'+`> \ue000 \U0001F6CB")]
    [InlineData("\b\f\n\r\t\u0001\u001f\u007f\u0085\u2028\ufeff")]
    public void A_checksum_does_not_depend_on_how_much_the_writer_escapes(string text)
    {
        var state = new CategoryState(1, text, null, true, DateTimeOffset.UnixEpoch, 1);

        StateChecksum.Of(JsonSerializer.SerializeToUtf8Bytes(state, EventJson.Default.CategoryState))
            .ShouldBe(StateChecksum.Of(JsonSerializer.SerializeToUtf8Bytes(state, EventJson.Wire.CategoryState)));
    }

    [Fact]
    public void A_bucket_is_a_segment() =>
        StateChecksum.BucketSize.ShouldBe(ApexShop.ReadModels.ReadTables.SegmentSize);
}
