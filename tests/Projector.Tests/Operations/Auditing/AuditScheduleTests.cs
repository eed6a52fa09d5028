using ApexShop.Projector.EventLog;
using ApexShop.Projector.Operations.Auditing;
using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;
using Microsoft.Extensions.Logging.Abstractions;

namespace ApexShop.Projector.Tests.Operations.Auditing;

/// <summary>The audit that the Projectors run once in an interval, all together.</summary>
public sealed class AuditScheduleTests(ReadStore store) : AuditTest(store)
{
    [Fact]
    public async Task An_audit_runs_when_the_last_one_is_older_than_the_interval()
    {
        await ShopAsync();
        using var schedule = NewSchedule();

        (await schedule.RunDueAsync(CancellationToken.None)).ShouldBeFalse("the tables are new");
        await AgeAsync();
        (await schedule.RunDueAsync(CancellationToken.None)).ShouldBeTrue();
        (await schedule.RunDueAsync(CancellationToken.None)).ShouldBeFalse("it has just ended");
    }

    [Fact]
    public async Task An_audit_that_was_interrupted_is_continued_by_another_Projector_with_what_it_had_found()
    {
        await ShopAsync();
        await Store.ExecuteAsync("""
            UPDATE read.products SET price = price + 1 WHERE id IN (2, 1003);
            UPDATE read.users SET version = version + 1 WHERE id = 4;
            UPDATE read.orders SET status = 'Lost' WHERE id = 4;
            DELETE FROM read.product_ratings WHERE product_id = 1006
            """);
        var whole = (await AuditAsync()).Summary;
        var looks = Tables.Looks;
        await AgeAsync();
        using (var first = NewSchedule())
        {
            // The write side is asked for each bucket that differs; at the last of them it is unavailable.
            Tables.BeforeAggregates = () =>
                Tables.Looks == 2 * looks ? throw new HttpRequestException() : Task.CompletedTask;
            await Should.ThrowAsync<EventLogException>(() => first.RunDueAsync(CancellationToken.None));
        }

        var interrupted = (await Record.DueAsync(Options.Interval, CancellationToken.None)).ShouldNotBeNull();
        interrupted.From.ShouldNotBe(AuditPosition.First);
        interrupted.Found.Values.Sum().ShouldBeInRange(1, whole.Different - 1);

        using var second = NewSchedule();
        (await second.RunDueAsync(CancellationToken.None)).ShouldBeTrue();

        Tables.Looks.ShouldBeLessThan(3 * looks, "it did not begin again");
        (await Record.DriftAsync(CancellationToken.None)).ShouldBe(whole.Remaining, ignoreOrder: true);
        (await second.RunDueAsync(CancellationToken.None)).ShouldBeFalse();
    }

    [Fact]
    public async Task An_audit_that_was_continued_elsewhere_does_not_change_the_record()
    {
        await ShopAsync();
        await AgeAsync();
        var due = (await Record.DueAsync(Options.Interval, CancellationToken.None)).ShouldNotBeNull();
        (await Record.SaveAsync(due.Next, "rows/products/1", due.Found, CancellationToken.None)).ShouldBeTrue();
        // The whole audit of an operator, for example.
        await AuditAsync();

        (await Record.SaveAsync("rows/products/1", "rows/products/2", [], CancellationToken.None)).ShouldBeFalse();
        (await Record.DueAsync(Options.Interval, CancellationToken.None)).ShouldBeNull();
    }

    [Fact]
    public async Task While_another_audit_runs_none_begins()
    {
        await ShopAsync();
        await AgeAsync();
        var running = (await Auditor.BeginAsync(Whole, CancellationToken.None)).ShouldNotBeNull().GetAsyncEnumerator();
        (await running.MoveNextAsync()).ShouldBeTrue();
        using var schedule = NewSchedule();

        (await schedule.RunDueAsync(CancellationToken.None)).ShouldBeFalse();
        await running.DisposeAsync();
        (await schedule.RunDueAsync(CancellationToken.None)).ShouldBeTrue("that audit did not end");
    }

    private AuditSchedule NewSchedule() => new(
        Auditor,
        Record,
        Microsoft.Extensions.Options.Options.Create(Options),
        TimeProvider.System,
        NullLogger<AuditSchedule>.Instance);

    private Task AgeAsync() => Store.ExecuteAsync("UPDATE read.audit_record SET ended = ended - interval '25 hours'");
}
