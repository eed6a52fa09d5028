using ApexShop.Errors;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// When this process continues after a pause, perhaps with its whole machine, the PostgreSQL of that machine may have
/// been replaced as the primary and still respond. Queries wait until the servers have shown that none was replaced.
/// </summary>
internal sealed class PauseCheck(IPrimaryProbe primary, TimeProvider clock) : BackgroundService
{
    // Shorter than the time after which another server becomes the primary, which is 20 seconds.
    private static readonly TimeSpan longestPause = TimeSpan.FromSeconds(5);

    private static readonly TimeSpan longestWait = TimeSpan.FromSeconds(5);

    private static readonly TimeSpan interval = TimeSpan.FromMilliseconds(500);

    private static readonly TimeSpan step = TimeSpan.FromMilliseconds(50);

    // Since then there was no long pause, or no server was replaced after it.
    private long checkedAt = clock.GetTimestamp();

    /// <summary>Whether there was a pause, and the servers have not answered since.</summary>
    public bool IsPaused => IsLong(clock.GetElapsedTime(Volatile.Read(ref checkedAt)));

    /// <summary>The query, which waits if this process was paused.</summary>
    public RequestDelegate Check(RequestDelegate query) =>
        http => IsPaused ? InvokeWhenPrimaryAsync(http, query) : query(http);

    /// <summary>Looks for a pause since the last time; after one, asks the servers.</summary>
    public async Task CheckAsync()
    {
        // Taken before the probe, because another pause may come after it.
        var now = clock.GetTimestamp();
        if (!IsLong(clock.GetElapsedTime(checkedAt, now)) || await IsPrimaryAsync()) Volatile.Write(ref checkedAt, now);
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        // A start that takes long is no pause.
        Volatile.Write(ref checkedAt, clock.GetTimestamp());
        using var timer = new PeriodicTimer(interval, clock);
        while (await timer.WaitForNextTickAsync(stoppingToken)) await CheckAsync();
    }

    private static bool IsLong(TimeSpan pause) => pause > longestPause;

    private async Task InvokeWhenPrimaryAsync(HttpContext http, RequestDelegate query)
    {
        var began = clock.GetTimestamp();
        while (IsPaused)
        {
            if (clock.GetElapsedTime(began) > longestWait)
                throw new NpgsqlException("The servers did not confirm that none of them was replaced.");
            await Task.Delay(step, clock, http.RequestAborted);
        }

        await query(http);
    }

    private async Task<bool> IsPrimaryAsync()
    {
        try
        {
            await primary.ProbeAsync();
            return true;
        }
        catch (Exception failure) when (failure is OperationCanceledException || failure.IsDatabaseFailure)
        {
            // The requests report it.
            return false;
        }
    }
}
