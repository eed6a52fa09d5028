using System.Diagnostics;
using ApexShop.Events;
using ApexShop.Projector.Intake;
using ApexShop.Projector.Tests.Harness;
using ApexShop.ReadModels;
using ApexShop.TestKit;

namespace ApexShop.Projector.Tests.Intake;

/// <summary>Deliveries that fail, and queues that end before all is applied.</summary>
public sealed class DeliveryFailureTests(ReadStore store) : ProjectorTest(store)
{
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task A_message_waits_while_the_log_is_unavailable_and_is_rejected_after_three_retries_of_a_failure()
    {
        var (clock, logs) = (new SkippingClock(), new CollectedLogs());
        await using var deliveries = new TestDeliveries(Projector.Applier, logs, clock);
        var behind = BehindAHole();
        var attempts = 0;
        History.BeforeAnswer = () => throw (++attempts <= 7
            ? (Exception)new HttpRequestException("The log is unavailable.")
            : new InvalidOperationException("A mistake."));

        _ = deliveries.AddAsync([behind]);

        await RejectedAsync(deliveries);
        deliveries.Rejected.ToArray().ShouldBe([(1ul, "A mistake.")]);
        attempts.ShouldBe(7 + 1 + 3);
        clock.Pauses.Select(pause => pause.TotalMilliseconds)
            .ShouldBe([200, 400, 800, 1600, 3200, 5000, 5000, 200, 200, 200]);
        logs.Lines.Count(line => line.Contains("waits", StringComparison.Ordinal)).ShouldBe(1);
        logs.Lines.Count(line => line.Contains("failed", StringComparison.Ordinal)).ShouldBe(1 + 3);
    }

    [Fact]
    public async Task Messages_whose_earlier_events_the_log_does_not_have_are_rejected_after_a_minute_together()
    {
        var clock = new SkippingClock();
        await using var deliveries = new TestDeliveries(Projector.Applier, new CollectedLogs(), clock);
        var orphans = OfAnotherLog(3);
        var began = clock.GetUtcNow();

        foreach (var orphan in orphans) _ = deliveries.AddAsync([orphan]);
        var other = deliveries.AddAsync([History.Category(1, "Books")]);
        await Eventually.Holds(() => deliveries.Rejected.Count == 3, "all are rejected");

        (clock.GetUtcNow() - began).ShouldBeInRange(TimeSpan.FromSeconds(60), TimeSpan.FromSeconds(90));
        deliveries.Rejected.First().Reason.ShouldContain("The event log has no products");
        await other.WaitAsync(limit);
        var later = clock.GetUtcNow();
        _ = deliveries.AddAsync([OfAnotherLog(4)[3]]);
        await Eventually.Holds(() => deliveries.Rejected.Count == 4, "a later one is rejected");
        (clock.GetUtcNow() - later).ShouldBeLessThan(TimeSpan.FromSeconds(10), "the log was asked for long enough");
    }

    [Theory]
    [InlineData(10, 1)]
    [InlineData(0, 2)]
    public async Task A_message_without_its_earlier_events_is_rejected_although_others_of_its_resource_are_applied(
        int interval, int messages)
    {
        var clock = new SkippingClock();
        await using var deliveries = new TestDeliveries(Projector.Applier, new CollectedLogs(), clock);
        var began = clock.GetUtcNow();
        var last = began;
        // With two at each answer of the log there is always one more: in a transaction, and in the log.
        History.BeforeAnswer = () =>
        {
            if (clock.GetUtcNow() - last < TimeSpan.FromSeconds(interval)) return Task.CompletedTask;
            last = clock.GetUtcNow();
            for (var i = 0; i < messages; i++) _ = deliveries.AddAsync([History.Product(1, "Pen")]);
            return Task.CompletedTask;
        };

        await using (await Store.HoldAsync())
        {
            _ = deliveries.AddAsync([History.User(5, "Ann", "Lee")]);
            await Store.HeldUpAsync();
            _ = deliveries.AddAsync([History.Product(1, "Pen")]);
            _ = deliveries.AddAsync([OfAnotherLog(1_000)[^1]]);
        }

        await RejectedAsync(deliveries);
        deliveries.Rejected.Single().Reason.ShouldStartWith("The event log ");
        (clock.GetUtcNow() - began).ShouldBeInRange(TimeSpan.FromSeconds(60), TimeSpan.FromSeconds(75));
        History.BeforeAnswer = () => Task.CompletedTask;
        await deliveries.AddAsync([History.Product(1, "Quill")]).WaitAsync(limit);
        (await ViewAsync<ProductView>("products", 1)).Name.ShouldBe("Quill");
    }

    [Theory]
    [InlineData(0, 100, (90 * 5) + 60)]
    [InlineData(10, 4, 80)]
    public async Task The_time_in_which_the_log_is_unavailable_does_not_count(int answers, int failures, int seconds)
    {
        var clock = new SkippingClock();
        await using var deliveries = new TestDeliveries(Projector.Applier, new CollectedLogs(), clock);
        var attempts = 0;
        History.BeforeAnswer = () => ++attempts > answers && attempts <= answers + failures
            ? throw new HttpRequestException("The log is unavailable.")
            : Task.CompletedTask;
        var began = clock.GetUtcNow();

        _ = deliveries.AddAsync(OfAnotherLog(1));
        await RejectedAsync(deliveries);

        (clock.GetUtcNow() - began).ShouldBeGreaterThan(TimeSpan.FromSeconds(seconds));
    }

    [Fact]
    public async Task A_message_that_waits_is_tried_again_in_time_although_the_clock_is_set_back()
    {
        var clock = new SkippingClock { SetBack = TimeSpan.FromHours(1) };
        await using var deliveries = new TestDeliveries(Projector.Applier, new CollectedLogs(), clock);
        var began = clock.GetTimestamp();

        _ = deliveries.AddAsync(OfAnotherLog(1));
        await RejectedAsync(deliveries);

        clock.Pauses.Max().ShouldBe(TimeSpan.FromSeconds(5));
        clock.GetElapsedTime(began).ShouldBeInRange(TimeSpan.FromSeconds(60), TimeSpan.FromSeconds(75));
    }

    [Fact]
    public async Task A_message_that_contradicts_a_log_to_which_the_documents_belong_is_rejected()
    {
        var clock = new SkippingClock();
        await using var deliveries = new TestDeliveries(Projector.Applier, new CollectedLogs(), clock);
        History.Product(1, "Pen");
        await deliveries.AddAsync([History.Product(1, "Quill")]).WaitAsync(limit);

        _ = deliveries.AddAsync([History.Entries[1] with { Position = 5, Previous = 1, Id = Guid.NewGuid() }]);

        await RejectedAsync(deliveries);
        deliveries.Rejected.Single().Reason.ShouldContain("of another event log");
    }

    [Fact]
    public async Task No_further_message_is_read_while_those_that_wait_exceed_their_bytes()
    {
        var options = new MessagingOptions { PrefetchBytes = 1_000 };
        await using var deliveries = new TestDeliveries(Projector.Applier, new CollectedLogs(), options: options);
        var messages = new List<Task>();
        Task room;
        await using (await Store.HoldAsync())
        {
            for (var i = 0; i < 10 && deliveries.Room.IsCompleted; i++)
                messages.Add(deliveries.AddAsync([History.Product(i, "Pen")]));
            messages.Count.ShouldBeInRange(2, 5);
            room = deliveries.Room;
            await Store.HeldUpAsync();
            room.IsCompleted.ShouldBeFalse();
        }

        await room.WaitAsync(limit);
        await Task.WhenAll(messages).WaitAsync(limit);
        _ = deliveries.AddAsync([History.Product(0, "Larger than all room " + new string('x', 2_000))]);
        await deliveries.Room.WaitAsync(limit);
    }

    [Fact]
    public async Task A_message_that_is_rejected_delays_no_other_one_even_while_the_dead_letters_are_full()
    {
        Projector.Deliveries.IsFull = true;
        History.BeforeAnswer = () => throw new InvalidOperationException("A mistake.");
        var failing = Projector.DeliverAsync(BehindAHole());
        var other = Projector.DeliverAsync(History.Category(1, "Books"));
        await other.WaitAsync(limit);
        await RejectedAsync(Projector.Deliveries);

        await Projector.DeliverAsync(History.Category(1, "Books again")).WaitAsync(limit);

        (await ViewAsync<CategoryView>("categories", 1)).Name.ShouldBe("Books again");
        failing.IsCompleted.ShouldBeFalse();
    }

    [Fact]
    public async Task A_rejection_that_the_dead_letters_do_not_take_ends_with_the_limit_of_a_stop()
    {
        Projector.Deliveries.IsFull = true;
        History.BeforeAnswer = () => throw new InvalidOperationException("A mistake.");
        _ = Projector.DeliverAsync(BehindAHole());
        await RejectedAsync(Projector.Deliveries);

        var stopped = Projector.Deliveries.StopAsync();
        stopped.IsCompleted.ShouldBeFalse("it waits for the rejection");
        await Projector.Deliveries.LoseAsync().WaitAsync(limit);

        await Should.ThrowAsync<OperationCanceledException>(() => stopped);
    }

    [Fact]
    public async Task At_a_stop_what_was_delivered_is_applied_and_what_is_delivered_later_is_not()
    {
        using var span = Span();
        Task before, after, stopped;
        await using (await Store.HoldAsync())
        {
            before = Projector.DeliverAsync(History.Product(1, "Pen"));
            stopped = Projector.Deliveries.StopAsync();
            after = Projector.Deliveries.AddAsync([History.Product(1, "Quill")], span);
        }

        await stopped.WaitAsync(limit);
        before.IsCompletedSuccessfully.ShouldBeTrue();
        after.IsCompleted.ShouldBeFalse();
        span.IsStopped.ShouldBeTrue();
        (await ViewAsync<ProductView>("products", 1)).Name.ShouldBe("Pen");
    }

    [Fact]
    public async Task A_queue_that_ends_in_the_middle_of_a_transaction_leaves_the_turn_to_another_projector()
    {
        var message = History.Product(1, "Pen");
        await using var other = new TestProjector(Store.Database.Projector, History);
        using var span = Span();
        Task again;
        await using (await Store.HoldAsync())
        {
            _ = Projector.Deliveries.AddAsync([message], span);
            await Store.HeldUpAsync();
            again = other.DeliverAsync(message);
            await Projector.Deliveries.LoseAsync().WaitAsync(limit);
        }

        await again.WaitAsync(limit);
        span.IsStopped.ShouldBeTrue();
        (await ViewAsync<ProductView>("products", 1)).Name.ShouldBe("Pen");
    }

    // Events that are in no log: each follows another one that is not there.
    private static LogEntry[] OfAnotherLog(int count)
    {
        using var other = new EventHistory();
        for (var i = 0; i < 10 + (2 * count); i++) other.Product(i, "Lost");
        return [.. other.Entries.Skip(10).Where((_, i) => i % 2 == 1)];
    }

    private LogEntry BehindAHole()
    {
        History.Product(1, "Not delivered");
        return History.Product(2, "Behind a hole");
    }

    private static Task RejectedAsync(TestDeliveries deliveries) =>
        Eventually.Holds(() => !deliveries.Rejected.IsEmpty, "the message is rejected");

    private static Activity Span()
    {
        var span = new Activity("process").Start();
        Activity.Current = null;
        return span;
    }
}
