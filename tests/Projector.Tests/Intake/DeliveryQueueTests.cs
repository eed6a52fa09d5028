using System.Collections.Concurrent;
using ApexShop.Events;
using ApexShop.Projector.Tests.Harness;
using ApexShop.ReadModels;

namespace ApexShop.Projector.Tests.Intake;

/// <summary>Messages that were delivered and wait for their transaction.</summary>
public sealed class DeliveryQueueTests(ReadStore store) : ProjectorTest(store)
{
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task Messages_that_wait_are_applied_in_one_transaction()
    {
        LogEntry[] events = [
            History.Product(1, "Pen"), History.Category(1, "Books"), History.Product(2, "Ink"),
            History.Product(1, "Quill"),
        ];
        await using (var held = await Store.HoldAsync())
        {
            var first = DeliverAsync(History.User(5, "Ann", "Lee"));
            await Store.HeldUpAsync();
            var waiting = events.Select(entry => DeliverAsync(entry)).ToList();
            await held.DisposeAsync();
            await Task.WhenAll([first, .. waiting]).WaitAsync(limit);
        }

        (await Store.ScalarAsync<long>("""
            SELECT count(DISTINCT xmin::text) FROM (SELECT xmin FROM read.products UNION ALL SELECT xmin
                FROM read.categories
                UNION ALL SELECT xmin FROM read.checkpoints WHERE resource IN ('products', 'categories')) AS rows
            """)).ShouldBe(1);
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
    }

    [Fact]
    public async Task Messages_are_applied_in_the_order_in_which_they_were_delivered()
    {
        // Any other order would find a hole, and with the event log unavailable it would not be filled.
        History.Available = false;
        await Task.WhenAll(Enumerable.Range(0, 200).Select(i => DeliverAsync(History.Product(i % 2, $"Product {i}"))))
            .WaitAsync(limit);

        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.products")).ShouldBe(2);
        (await ViewAsync<ProductView>("products", 1)).Name.ShouldBe("Product 199");
    }

    [Fact]
    public async Task A_message_that_is_delivered_again_while_it_waits_changes_nothing()
    {
        var message = History.Product(1, "Pen");
        await using (var held = await Store.HoldAsync())
        {
            var all = Enumerable.Range(0, 4).Select(_ => DeliverAsync(message)).ToList();
            all.Add(DeliverAsync(History.Product(1, "Quill")));
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
        var behind = History.Product(2, "Behind a hole");
        Task first, failing, other;
        await using (await Store.HoldAsync())
        {
            first = DeliverAsync(History.User(5, "Ann", "Lee"));
            await Store.HeldUpAsync();
            failing = DeliverAsync(behind);
            other = DeliverAsync(innocent);
        }

        await first.WaitAsync(limit);
        await other.WaitAsync(limit);
        failing.IsCompleted.ShouldBeFalse();

        History.Available = true;
        await failing.WaitAsync(limit);
        Projector.Deliveries.Rejected.ShouldBeEmpty("it waited for the event log");
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
    }

    [Fact]
    public async Task An_event_that_the_database_refuses_is_parked_out_of_messages_that_were_joined()
    {
        await using (var held = await Store.HoldAsync())
        {
            var first = DeliverAsync(History.User(5, "Ann", "Lee"));
            await Store.HeldUpAsync();
            LogEntry[] events =
                [History.Product(1, "Pen"), History.Product(2, "Nul \0 character"), History.Category(1, "Books")];
            var all = events.Select(entry => DeliverAsync(entry)).ToList();
            await held.DisposeAsync();
            await Task.WhenAll([first, .. all]).WaitAsync(limit);
        }

        (await Store.ScalarAsync<string>("SELECT string_agg(resource || '/' || aggregate_id, ',') FROM "
            + "read.parked_events"))
            .ShouldBe("products/2");
        (await ViewAsync<ProductView>("products", 1)).Category.Name.ShouldBe("Books");
    }

    [Fact]
    public async Task A_delivery_of_a_lost_channel_is_not_acknowledged_and_is_delivered_again()
    {
        var message = History.Product(1, "Pen");
        await using var other = new TestProjector(Store.Database.Projector, History);
        Task lost, again;
        await using (await Store.HoldAsync())
        {
            lost = DeliverAsync(message);
            await Store.HeldUpAsync();
            await Projector.Deliveries.LoseAsync().WaitAsync(limit);
            again = other.DeliverAsync(message);
        }

        await again.WaitAsync(limit);
        await other.DeliverAsync(History.Product(1, "Quill")).WaitAsync(limit);
        lost.IsCompleted.ShouldBeFalse();
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
        var messages = History.Entries.Chunk(5).SelectMany(chunk => chunk.GroupBy(entry => entry.Resource)).Select(
            message => message.ToArray());
        var queue = new ConcurrentQueue<LogEntry[]>(
            messages.SelectMany(message => new[] { message, message }).OrderBy(
                message => message[0].Position + random.Next(40)));
        await Task.WhenAll(
            Enumerable.Range(0, 12).Select(i => ConsumeAsync(i % 2 == 0 ? Projector : second))).WaitAsync(2 * limit);

        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
        (await Store.WrongAsidesAsync()).ShouldBe(0);
        (await Store.WrongSegmentsAsync()).ShouldBe(0);

        async Task ConsumeAsync(TestProjector projector)
        {
            while (queue.TryDequeue(out var message)) await projector.DeliverAsync(message);
        }
    }

    private Task DeliverAsync(params LogEntry[] entries) => Projector.DeliverAsync(entries);
}
