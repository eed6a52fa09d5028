using ApexShop.Errors;

namespace ApexShop.Commands.Api.Operations.Console;

/// <summary>
/// Reads the status of all parts concurrently, within two seconds. An unavailable part is often the reason for the
/// request, so it does not prevent the others from being reported.
/// </summary>
internal sealed class PipelineStatusReader(
    LogStatusReader log,
    ProjectionStatusReader projection,
    CacheStatusReader cache,
    ProcessHealthReader health,
    TimeProvider clock)
{
    private static readonly TimeSpan timeout = TimeSpan.FromSeconds(2);

    public async Task<PipelineStatus> ReadAsync(string? authorization, CancellationToken ct)
    {
        using var timer = new CancellationTokenSource(timeout, clock);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timer.Token, ct);
        var logging = OrUnavailableAsync(log.ReadAsync(either.Token), LogPart.Unavailable, either.Token);
        var caching = cache.ReadAsync(authorization, either.Token);
        var processes = health.ReadAsync(either.Token);
        var projected = await projection.ReadAsync(authorization, either.Token);
        var lag = projected.Status is { } status
            ? await OrUnavailableAsync(log.LagAsync(status.Positions, either.Token), null, either.Token)
            : null;
        return new(await logging, projected.WithLag(lag), await caching, await processes);
    }

    // A frozen server does not react to cancellation; its connection is abandoned with the running statement.
    private static async Task<T> OrUnavailableAsync<T>(Task<T> reading, T unavailable, CancellationToken ct)
    {
        try
        {
            return await reading.WaitAsync(ct);
        }
        catch (Exception exception) when (exception is OperationCanceledException || exception.IsDatabaseFailure)
        {
            return unavailable;
        }
    }
}
