using System.Collections.Concurrent;
using ApexShop.Events;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Intake;
using ApexShop.Projector.Projecting;
using ApexShop.Projector.Tests.Harness;
using ApexShop.ReadModels;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Projector.Tests.Intake;

/// <summary>Messages that wait for their turn, as the consumers of one queue bring them.</summary>
public sealed class LineTests(ReadStore store) : ProjectorTest(store)
{
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task Messages_that_wait_are_applied_in_one_transaction()
    {
        LogEntry[] events = [History.Product(1, "Pen"), History.Category(1, "Books"), History.Product(2, "Ink"), History.Product(1, "Quill")];
        await using (var held = await HoldAsync())
        {
            var first = BringAsync(History.User(5, "Ann", "Lee"));
            await HeldUpAsync();
            var waiting = events.Select(entry => BringAsync(entry)).ToList();
            await held.DisposeAsync();
            await Task.WhenAll([first, .. waiting]).WaitAsync(limit);
        }

        (await Store.ScalarAsync<long>("""
            SELECT count(DISTINCT xmin::text) FROM (SELECT xmin FROM read.products UNION ALL SELECT xmin FROM read.categories
                UNION ALL SELECT xmin FROM read.checkpoints WHERE resource IN ('products', 'categories')) AS rows
            """)).ShouldBe(1);
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
    }

    [Fact]
    public async Task A_message_that_is_read_sooner_does_not_overtake_the_one_before_it()
    {
        // Out of order would stop: there is nothing to fill a hole from.
        History.Available = false;
        using var first = Projector.Enter();
        using var second = Projector.Enter();
        var (before, after) = (Batch(History.Product(1, "Pen")), Batch(History.Product(2, "Ink")));

        var applying = second.ApplyAsync(after, CancellationToken.None);
        await Task.WhenAll(first.ApplyAsync(before, CancellationToken.None), applying).WaitAsync(limit);

        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.products")).ShouldBe(2);
    }

    [Fact]
    public async Task A_message_that_arrives_sooner_does_not_overtake_the_one_before_it()
    {
        History.Available = false;
        var (before, after) = (Batch(History.Product(1, "Pen")), Batch(History.Product(2, "Ink")));
        using var second = Projector.Line.Enter(new Delivery("channel", 2));
        var applying = second.ApplyAsync(after, CancellationToken.None);

        using var first = Projector.Line.Enter(new Delivery("channel", 1));
        await Task.WhenAll(first.ApplyAsync(before, CancellationToken.None), applying).WaitAsync(limit);

        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.products")).ShouldBe(2);
    }

    [Fact]
    public async Task A_delivery_that_never_comes_is_not_waited_for_for_ever()
    {
        using var place = Projector.Line.Enter(new Delivery("channel", 7));
        await place.ApplyAsync(Batch(History.Product(1, "Pen")), CancellationToken.None).WaitAsync(limit);
        using var other = Projector.Line.Enter(new Delivery("another channel", 1));
        await other.ApplyAsync(Batch(History.Product(1, "Quill")), CancellationToken.None).WaitAsync(limit);

        (await ViewAsync<ProductView>("products", 1)).Name.ShouldBe("Quill");
    }

    [Fact]
    public async Task A_message_whose_body_cannot_be_read_holds_up_nothing()
    {
        Task applying;
        using (Projector.Enter()) applying = BringAsync(History.Product(1, "Pen"));

        await applying.WaitAsync(limit);
    }

    [Fact]
    public async Task A_message_that_comes_again_while_it_is_in_line_changes_nothing()
    {
        var message = History.Product(1, "Pen");
        await using (var held = await HoldAsync())
        {
            var all = Enumerable.Range(0, 4).Select(_ => BringAsync(message)).ToList();
            all.Add(BringAsync(History.Product(1, "Quill")));
            await held.DisposeAsync();
            await Task.WhenAll(all).WaitAsync(limit);
        }

        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
        History.Requests.ShouldBe(0, "a repeat is no hole");
    }

    [Fact]
    public async Task A_failure_is_only_that_of_the_message_at_fault()
    {
        History.Available = false;
        var innocent = History.Category(1, "Books");
        History.Product(1, "Lost");
        var behind = Batch(History.Product(2, "Behind a hole"));
        BatchLine.Place place;
        Task first, failing, other;
        await using (await HoldAsync())
        {
            first = BringAsync(History.User(5, "Ann", "Lee"));
            await HeldUpAsync();
            place = Projector.Enter();
            failing = place.ApplyAsync(behind, CancellationToken.None);
            other = BringAsync(innocent);
        }

        await first.WaitAsync(limit);
        await other.WaitAsync(limit);
        await Should.ThrowAsync<EventLogException>(() => failing.WaitAsync(limit));

        History.Available = true;
        await place.ApplyAsync(behind, CancellationToken.None).WaitAsync(limit);
        place.Dispose();
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
    }

    [Fact]
    public async Task An_event_that_the_database_refuses_is_parked_out_of_messages_that_were_joined()
    {
        await using (var held = await HoldAsync())
        {
            var first = BringAsync(History.User(5, "Ann", "Lee"));
            await HeldUpAsync();
            LogEntry[] events = [History.Product(1, "Pen"), History.Product(2, "Nul \0 character"), History.Category(1, "Books")];
            var all = events.Select(entry => BringAsync(entry)).ToList();
            await held.DisposeAsync();
            await Task.WhenAll([first, .. all]).WaitAsync(limit);
        }

        (await Store.ScalarAsync<string>("SELECT string_agg(resource || '/' || aggregate_id, ',') FROM read.parked_events")).ShouldBe("products/2");
        (await ViewAsync<ProductView>("products", 1)).Category.Name.ShouldBe("Books");
    }

    [Fact]
    public async Task The_turn_passes_on_when_the_one_who_has_it_stops_in_the_middle()
    {
        using var stop = new CancellationTokenSource();
        using var place = Projector.Enter();
        Task other;
        await using (await HoldAsync())
        {
            var stopped = place.ApplyAsync(Batch(History.Product(1, "Pen")), stop.Token);
            await HeldUpAsync();
            other = BringAsync(History.Product(1, "Quill"));
            await stop.CancelAsync();
            await Should.ThrowAsync<OperationCanceledException>(() => stopped.WaitAsync(limit));
        }

        place.Dispose();
        await other.WaitAsync(limit);
        (await ViewAsync<ProductView>("products", 1)).Name.ShouldBe("Quill");
    }

    [Fact]
    public async Task Two_projectors_with_doubled_and_shuffled_messages_end_in_the_same_documents()
    {
        for (var i = 0; i < 60; i++)
        {
            History.Category(i % 3, $"Category {i}");
            History.Product(i % 7, $"Product {i}", category: i % 3);
            History.Review(i, product: i % 7, user: i % 5, rating: 1 + (i % 5));
            History.User(i % 5, $"First{i}", "Last");
            History.Order(i, user: i % 5, "Pending", (i % 7, 1, 2m));
        }

        var random = new Random(17);
        await using var second = new TestProjector(Store.Database.Projector, History);
        var messages = History.Entries.Chunk(5).SelectMany(chunk => chunk.GroupBy(entry => entry.Resource)).Select(message => message.ToArray());
        var queue = new ConcurrentQueue<LogEntry[]>(
            messages.SelectMany(message => new[] { message, message }).OrderBy(message => message[0].Position + random.Next(40)));
        await Task.WhenAll(Enumerable.Range(0, 12).Select(i => ConsumeAsync(i % 2 == 0 ? Projector : second))).WaitAsync(2 * limit);

        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
        (await Store.WrongAsidesAsync()).ShouldBe(0);
        (await Store.WrongSegmentsAsync()).ShouldBe(0);

        async Task ConsumeAsync(TestProjector projector)
        {
            while (queue.TryDequeue(out var message)) await BringAsync(projector, message);
        }
    }

    private Task BringAsync(params LogEntry[] entries) => BringAsync(Projector, entries);

    private static async Task BringAsync(TestProjector projector, LogEntry[] entries)
    {
        using var place = projector.Enter();
        await place.ApplyAsync(Batch(entries), CancellationToken.None);
    }

    private static EventBatch Batch(params LogEntry[] entries) => EventBatch.FromMessage(TestProjector.Message(entries));

    // As another projector in the middle of its transaction; disposing it ends that one.
    private async Task<NpgsqlConnection> HoldAsync()
    {
        var connection = new NpgsqlConnection(new NpgsqlConnectionStringBuilder(Store.Database.Superuser) { Pooling = false }.ConnectionString);
        await connection.OpenAsync();
        await using var hold = new NpgsqlCommand("BEGIN; SELECT FROM read.projection_state FOR UPDATE", connection);
        await hold.ExecuteNonQueryAsync();
        return connection;
    }

    private Task HeldUpAsync() => Eventually.Holds(
        () => Store.ScalarAsync<bool>(
            "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND usename = 'projector' AND wait_event_type = 'Lock')"),
        "a transaction that waits for its turn");
}
