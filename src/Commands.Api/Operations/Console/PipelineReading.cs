using Npgsql;

namespace ApexShop.Commands.Api.Operations.Console;

/// <summary>
/// Asks all parts at once and none for longer than two seconds: who looks here may look because one of them does not
/// answer, and the others are told all the same.
/// </summary>
internal sealed class PipelineReading(LogReading log, ProjectionReading projection, CacheReading cache, TimeProvider clock)
{
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(2);

    public async Task<PipelineStatus> ReadAsync(string? authorization, CancellationToken ct)
    {
        using var time = new CancellationTokenSource(limit, clock);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(time.Token, ct);
        var logging = OrUnavailableAsync(log.ReadAsync(both.Token), LogPart.Unavailable, both.Token);
        var caching = cache.ReadAsync(authorization, both.Token);
        var projected = await projection.ReadAsync(authorization, both.Token);
        var lag = projected.Status is { } status
            ? await OrUnavailableAsync<IReadOnlyDictionary<string, ResourceLag>?>(LagAsync(status.Positions, both.Token), null, both.Token)
            : null;
        return new(await logging, projected.Behind(lag), await caching);
    }

    private async Task<IReadOnlyDictionary<string, ResourceLag>?> LagAsync(IReadOnlyDictionary<string, long> positions, CancellationToken ct) =>
        await log.LagAsync(positions, ct);

    // A server that is frozen hears no cancellation either; its connection is left behind with the statement on it.
    private static async Task<T> OrUnavailableAsync<T>(Task<T> reading, T unavailable, CancellationToken ct)
    {
        try
        {
            return await reading.WaitAsync(ct);
        }
        catch (Exception silence) when (silence is NpgsqlException or OperationCanceledException or TimeoutException)
        {
            return unavailable;
        }
    }
}
