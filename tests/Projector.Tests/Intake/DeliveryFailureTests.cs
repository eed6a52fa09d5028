using System.Diagnostics;
using ApexShop.Events;
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
