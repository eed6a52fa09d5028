using ApexShop.Projector.EventLog;
using ApexShop.Projector.Operations.Auditing;
using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;
using Microsoft.Extensions.Logging.Abstractions;
using Npgsql;

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
    public async Task An_audit_runs_when_the_last_one_ended_before_the_clock_was_set_back()
    {
        await ShopAsync();
        using var schedule = NewSchedule();

        await AgeAsync("-1 hour");
        (await schedule.RunDueAsync(CancellationToken.None)).ShouldBeTrue();
        (await schedule.RunDueAsync(CancellationToken.None)).ShouldBeFalse("it has just ended");
    }

    [Fact]
    public async Task An_audit_that_was_interrupted_is_continued_by_another_Projector_with_what_it_had_found()
    {
        await ShopAsync();
        await DamageAsync();
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
        (await Record.LastAsync(CancellationToken.None)).Drift.ShouldBe(whole.Remaining, ignoreOrder: true);
        (await second.RunDueAsync(CancellationToken.None)).ShouldBeFalse();
    }

    [Fact]
    public async Task An_audit_that_has_lost_its_lock_changes_nothing()
    {
        await ShopAsync();
        var hung = (await Auditor.BeginAsync(Whole, CancellationToken.None)).ShouldNotBeNull().GetAsyncEnumerator();
        (await hung.MoveNextAsync()).ShouldBeTrue();
        await Store.ExecuteAsync("""
            SELECT pg_terminate_backend(pid, 10000) FROM pg_locks JOIN pg_database AS here ON here.oid = database
            WHERE locktype = 'advisory' AND datname = current_database()
            """);
        await Store.ExecuteAsync("UPDATE read.orders SET status = 'Lost' WHERE id = 4");
        await AuditAsync();
        await Store.ExecuteAsync("UPDATE read.orders SET status = 'Pending' WHERE id = 4");

        await Should.ThrowAsync<NpgsqlException>(async () =>
        {
            while (await hung.MoveNextAsync())
            {
            }
        });
        (await Record.LastAsync(CancellationToken.None)).Drift[Resource.Orders.Name].ShouldBe(1);
        await hung.DisposeAsync();
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
        Microsoft.Extensions.Options.Options.Create(Options),
        TimeProvider.System,
        NullLogger<AuditSchedule>.Instance);

    private Task AgeAsync(string time = "25 hours") =>
        Store.ExecuteAsync($"UPDATE read.audit_record SET ended = ended - interval '{time}'");
}
