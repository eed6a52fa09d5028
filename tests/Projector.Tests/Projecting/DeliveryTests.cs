using System.Diagnostics.Metrics;
using ApexShop.Events;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Projecting;
using ApexShop.Projector.Tests.Harness;
using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.Tests.Projecting;

public sealed class DeliveryTests(ReadStore store) : ProjectorTest(store)
{
    private const string Traces =
        "SELECT xmin::text || '/' || version || '/' || revision FROM read.products WHERE id = 10";

    private const string CheckpointTrace = "SELECT xmin::text FROM read.checkpoints WHERE resource = 'products'";

    [Fact]
    public async Task Each_resource_has_its_own_checkpoint_at_its_last_event()
    {
        await Projector.ApplyAsync(History.Product(10, "Pen"), History.Product(11, "Ink"));
        await Projector.ApplyAsync(History.Category(1, "Books"));

        (await Store.ScalarAsync<string>(
            "SELECT string_agg(resource || ' ' || position, ', ' ORDER BY position) FROM read.checkpoints WHERE "
            + "position > 0"))
            .ShouldBe("products 2, categories 3");
    }

    [Fact]
    public async Task A_message_and_its_checkpoint_are_one_transaction()
    {
        await Projector.ApplyAsync(
            History.Product(10, "Pen"), History.Product(11, "Ink"), History.Product(12, "Cap"));

        (await Store.ScalarAsync<bool>("""
            SELECT count(*) = 4 AND count(DISTINCT writer) = 1 FROM (SELECT xmin::text AS writer FROM read.products
                UNION ALL SELECT xmin::text FROM read.checkpoints WHERE resource = 'products') AS written
            """)).ShouldBeTrue("a transaction for each event would apply the events behind it again");
    }

    [Fact]
    public async Task A_repeated_message_changes_nothing_and_is_counted()
    {
        LogEntry[] message = [History.Product(10, "Pen"), History.Product(10, "Quill")];
        await Projector.ApplyAsync(message);
        var before = await Store.ScalarAsync<string>(Traces);
        var checkpoint = await Store.ScalarAsync<string>(CheckpointTrace);
        using var repeats = new Counted(Projector.Meters, "apexshop.projection.repeats");

        await Projector.ApplyAsync(message);

        (await Store.ScalarAsync<string>(Traces)).ShouldBe(before);
        (await Store.ScalarAsync<string>(CheckpointTrace)).ShouldBe(checkpoint);
        repeats.Value.ShouldBe(2);
    }

    [Fact]
    public async Task Overtaken_and_repeated_events_change_nothing_even_without_a_checkpoint()
    {
        LogEntry[] events = [History.Product(10, "Pen"), History.Product(10, "Quill")];
        await Projector.ApplyEachAsync(events);
        var before = await Store.ScalarAsync<string>(Traces);
        await ForgetCheckpointsAsync();

        await Projector.ApplyEachAsync(events);

        (await Store.ScalarAsync<string>(Traces)).ShouldBe(before);
    }

    [Fact]
    public async Task A_late_event_does_not_bring_back_a_deleted_document()
    {
        var old = History.Product(10, "Pen");
        await Projector.ApplyAsync(old);
        await Projector.ApplyAsync(History.Delete(Resource.Products.Name, 10));
        await ForgetCheckpointsAsync();

        await Projector.ApplyAsync(old);

        (await Store.ScalarAsync<bool>("SELECT is_deleted AND version = 2 AND data IS NULL AND body IS NULL FROM "
            + "read.products")).ShouldBeTrue();
    }

    [Fact]
    public async Task A_deletion_without_its_document_leaves_a_tombstone()
    {
        var old = History.Product(10, "Pen");
        await Projector.Applier.ApplyAsync(
            EventBatch.FromLog([History.Delete(Resource.Products.Name, 10)], after: 0), CancellationToken.None);
        await ForgetCheckpointsAsync();

        await Projector.ApplyAsync(old);

        (await Store.BodyAsync("products", 10)).ShouldBeNull();
        (await Store.ScalarAsync<long>("SELECT version FROM read.products WHERE id = 10")).ShouldBe(2);
    }

    [Fact]
    public async Task A_hole_is_filled_from_the_log_before_what_follows_it()
    {
        await Projector.ApplyAsync(History.Product(10, "Pen"));
        History.Product(11, "Ink");
        History.Category(1, "Books");
        History.MostEntries = 1;
        using var holes = new Counted(Projector.Meters, "apexshop.projection.holes");

        await Projector.ApplyAsync(History.Product(12, "Cap"));

        (await Store.ScalarAsync<string>("SELECT string_agg(name, ',' ORDER BY id) FROM read.products"))
            .ShouldBe("Pen,Ink,Cap");
        holes.Value.ShouldBe(1);
    }

    [Fact]
    public async Task Events_missing_inside_a_message_are_filled_from_the_log()
    {
        LogEntry[] all = [History.Product(10, "Pen"), History.Product(11, "Ink"), History.Product(12, "Cap")];

        await Projector.ApplyAsync(all[0], all[2]);

        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.products")).ShouldBe(3);
    }

    [Fact]
    public async Task Nothing_after_a_hole_is_applied_while_the_log_is_unavailable()
    {
        History.Product(10, "Pen");
        History.Available = false;
        var next = History.Product(11, "Ink");

        await Should.ThrowAsync<EventLogException>(() => Projector.ApplyAsync(next));
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.products")).ShouldBe(0);

        History.Available = true;
        await Projector.ApplyAsync(next);
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.products")).ShouldBe(2);
    }

    [Fact]
    public async Task A_hole_is_not_filled_from_another_log()
    {
        await Projector.ApplyAsync(History.Product(10, "Pen"));
        History.Forget(History.Entries[0]);
        History.Product(10, "Of another log");
        History.Product(11, "Ink");

        await Should.ThrowAsync<EventLogException>(() => Projector.ApplyAsync(History.Product(12, "Cap")));

        (await Store.ScalarAsync<string>("SELECT string_agg(name, ',' ORDER BY id) FROM read.products"))
            .ShouldBe("Pen");
    }

    [Fact]
    public async Task Events_that_the_log_compacted_away_are_not_waited_for()
    {
        History.Product(10, "Pen");
        var next = History.Product(10, "Quill");
        History.Entries.RemoveAt(0);

        await Projector.ApplyAsync(next);

        (await ViewAsync<ProductView>("products", 10)).Name.ShouldBe("Quill");
    }

    [Fact]
    public async Task Events_that_were_in_the_log_at_the_previous_check_and_never_arrived_are_read()
    {
        await Projector.Watch.CompareAsync(CancellationToken.None);
        History.Product(10, "Pen");
        History.Product(11, "Ink");

        await Projector.Watch.CompareAsync(CancellationToken.None);
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.products"))
            .ShouldBe(0, "its message may be on the way");

        await Projector.Watch.CompareAsync(CancellationToken.None);
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.products")).ShouldBe(2);
    }

    [Fact]
    public async Task An_empty_read_database_is_filled_from_the_log_at_the_start()
    {
        History.Category(1, "Books");
        History.Product(10, "Pen");

        await Projector.Watch.CompareAsync(CancellationToken.None);

        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
    }

    [Fact]
    public async Task Events_read_after_a_later_position_than_the_checkpoint_are_applied_after_those_before_them()
    {
        History.Product(10, "In earlier tables");
        var before = History.Product(11, "In earlier tables too");
        var read = History.Product(12, "Read before other tables were in use");

        await Projector.Applier.ApplyAsync(EventBatch.FromLog([read], before.Position), CancellationToken.None);

        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.products")).ShouldBe(3);
    }

    [Fact]
    public async Task Events_that_the_queue_has_are_not_read_from_the_log()
    {
        for (var i = 0; i < 5; i++) History.Product(10 + i, "Pen");
        Projector.HasQueuedMessages = true;
        await Projector.Watch.CompareAsync(CancellationToken.None);
        await Projector.Watch.CompareAsync(CancellationToken.None);
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.products")).ShouldBe(0, "they are on the way");

        Projector.HasQueuedMessages = false;
        await Projector.Watch.CompareAsync(CancellationToken.None);
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.products")).ShouldBe(5);
    }

    [Fact]
    public async Task Events_before_those_that_were_applied_are_read_although_the_queue_has_messages()
    {
        await Projector.Watch.CompareAsync(CancellationToken.None);
        History.Product(10, "Lost");
        var later = History.Category(1, "Books");
        History.Product(11, "In the queue");
        Projector.HasQueuedMessages = true;
        await Projector.Watch.CompareAsync(CancellationToken.None);
        await Projector.Watch.CompareAsync(CancellationToken.None);
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.products")).ShouldBe(0);

        await Projector.ApplyAsync(later);
        await Projector.Watch.CompareAsync(CancellationToken.None);
        (await Store.ScalarAsync<string>("SELECT string_agg(name, ',') FROM read.products")).ShouldBe("Lost");
    }

    [Fact]
    public async Task Two_projectors_at_the_same_time_end_in_the_same_documents()
    {
        for (var i = 0; i < 40; i++)
        {
            History.Category(i % 3, $"Category {i}");
            History.Product(i % 7, $"Product {i}", category: i % 3);
            History.Review(i, product: i % 7, user: i % 5, rating: 1 + (i % 5));
            History.User(i % 5, $"First{i}", "Last");
            History.Order(i, user: i % 5, "Pending", (i % 7, 1, 2m));
        }

        await using var second = new TestProjector(Store.Database.Projector, History);
        var streams = History.Entries.GroupBy(entry => entry.Resource).Select(entries => entries.ToList()).ToList();
        await Task.WhenAll(
            streams.SelectMany(
                _ => new[] { Projector, second }, (entries, projector) => projector.ApplyEachAsync(entries)));

        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
    }

    private Task ForgetCheckpointsAsync() => Store.ExecuteAsync("UPDATE read.checkpoints SET position = 0");

    private sealed class Counted : IDisposable
    {
        private readonly MeterListener listener = new();
        private long value;

        public Counted(IMeterFactory meters, string name)
        {
            listener.InstrumentPublished = (instrument, listening) =>
            {
                if (instrument.Name == name && instrument.Meter.Scope == meters)
                    listening.EnableMeasurementEvents(instrument);
            };
            listener.SetMeasurementEventCallback<long>((_, measured, _, _) => Interlocked.Add(ref value, measured));
            listener.Start();
        }

        public long Value => Interlocked.Read(ref value);

        public void Dispose() => listener.Dispose();
    }
}
