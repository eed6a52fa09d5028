using ApexShop.Events;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Operations.Parking;
using ApexShop.Projector.Tests.Harness;
using ApexShop.ReadModels;

namespace ApexShop.Projector.Tests.Operations.Rebuilding;

public sealed class ParkedInRebuildTests(ReadStore store) : RebuildingTest(store)
{
    [Fact]
    public async Task A_parked_aggregate_whose_last_event_can_be_applied_is_not_parked_any_more()
    {
        await Projector.ApplyAsync(History.Product(10, "Pen"), Unreadable(10), History.Product(10, "Quill"));
        (await ParkedAsync()).ShouldBe("2,3");

        var status = await Projector.RebuildAsync();

        ShouldBeDone(status, differing: 1);
        status.ParkedAggregates.ShouldBe(0);
        (await ParkedAsync()).ShouldBe("");
        (await ViewAsync<ProductView>("products", 10)).Name.ShouldBe("Quill");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task An_aggregate_whose_last_event_cannot_be_read_stays_parked_with_the_last_readable_state(
        bool wasParkedBefore)
    {
        LogEntry[] events = [
            History.Product(10, "Pen"), History.Product(10, "Quill"), Unreadable(10), History.Product(11, "Ink"),
            Unreadable(10),
        ];
        if (wasParkedBefore) await Projector.ApplyAsync(events);

        var status = await Projector.RebuildAsync();

        status.ParkedAggregates.ShouldBe(1);
        (await ParkedAsync()).ShouldBe("3,5");
        (await ViewAsync<ProductView>("products", 10)).Name.ShouldBe("Quill");
        (await ViewAsync<ProductView>("products", 11)).Name.ShouldBe("Ink");
        await Projector.ApplyAsync(History.Product(10, "Later"));
        (await ParkedAsync()).ShouldBe("3,5,6");
    }

    [Fact]
    public async Task Only_events_that_the_database_refuses_are_parked()
    {
        for (var id = 1; id <= 40; id++) History.Product(id, $"Product {id}");
        History.Product(7, "Nul \0 character");
        History.Product(23, "Too dear", price: 1e20m);
        // No column of its own refuses it, only the document.
        History.Product(31, "Nul in the text", description: "Nul \0 inside");
        History.Category(1, "Nul \0 too");

        var status = await Projector.RebuildAsync();

        status.Failure.ShouldBeNull();
        status.ParkedAggregates.ShouldBe(4);
        (await ParkedAsync()).ShouldBe("41,42,43,44");
        (await ViewAsync<ProductView>("products", 7)).Name.ShouldBe("Product 7");
        (await ViewAsync<ProductView>("products", 40)).Category.Name.ShouldBeNull();
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.products")).ShouldBe(40);
        (await Store.WrongSegmentsAsync()).ShouldBe(0);
        (await Store.WrongAsidesAsync()).ShouldBe(0);
    }

    [Fact]
    public async Task A_refused_event_that_arrives_during_a_rebuild_is_parked_too()
    {
        await FillAsync();
        var answers = 0;
        History.BeforeAnswer = () =>
        {
            if (++answers != 1) return Task.CompletedTask;
            History.Product(3, "Nul \0 character");
            History.Product(4, "Renamed meanwhile");
            return Task.CompletedTask;
        };

        var status = await Projector.RebuildAsync();

        status.Failure.ShouldBeNull();
        status.ParkedAggregates.ShouldBe(1);
        (await ViewAsync<ProductView>("products", 3)).Name.ShouldBe("Product 3");
        (await ViewAsync<ProductView>("products", 4)).Name.ShouldBe("Renamed meanwhile");
    }

    [Theory]
    [InlineData(200, false)]
    [InlineData(1_200, false)]
    [InlineData(200, true)]
    public async Task The_events_of_a_parked_aggregate_are_read_in_parts_and_only_if_its_last_one_is_refused(
        int applied, bool isLastReadable)
    {
        for (var number = 1; number <= applied; number++) History.Product(10, $"Pen {number}");
        Unreadable(10);
        while (History.Entries.Count < 2_300) History.Product(10, "After it");
        if (isLastReadable) await Projector.ApplyAsync(History.Entries);
        else Unreadable(10);
        History.MostEntries = int.MaxValue;

        var status = await Projector.RebuildAsync();

        History.LargestAnswer.ShouldBe(isLastReadable ? 1 : EventLogClient.Chunk);
        status.Failure.ShouldBeNull();
        status.ParkedAggregates.ShouldBe(isLastReadable ? 0 : 1);
        (await ParkedAsync()).ShouldBe(string.Join(
            ',', Enumerable.Range(1, History.Entries.Count).Where(position => !isLastReadable && position > applied)));
        (await ViewAsync<ProductView>("products", 10)).Name.ShouldBe(isLastReadable ? "After it" : $"Pen {applied}");
    }

    private Task<string> ParkedAsync() =>
        Store.ScalarAsync<string>(
            "SELECT coalesce(string_agg(position::text, ',' ORDER BY position), '') FROM read.parked_events");
}
