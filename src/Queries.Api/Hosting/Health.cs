using System.Net.Sockets;
using ApexShop.Errors;
using ApexShop.Hosting;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Reading;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Queries.Api.Hosting;

/// <summary>The probes. The process is not ready without its database; without Redis it is.</summary>
internal static class Health
{
    private const int ProbeSeconds = 2;

    public static void MapHealth(this WebApplication app)
    {
        var logger = app.Services.GetRequiredService<ILoggerFactory>().CreateLogger(typeof(Health).FullName!);
        var database = app.Services.GetRequiredService<ReadDatabase>().Pages;
        var fence = app.Services.GetRequiredService<TagFence>();
        app.MapProbes(async ct =>
        {
            var isUp = await IsUpAsync(database, logger, ct);
            // Without Redis, or tags that are raised in it, responses are correct and cached for a few seconds only.
            return new Readiness(
                isUp, [("postgres", isUp), ("redis", fence.IsLive), ("cacheTags", fence.IsUpToDate)]);
        });
    }

    // The probe reads a table, since a schema that was not migrated is not ready either.
    private static async Task<bool> IsUpAsync(NpgsqlDataSource database, ILogger logger, CancellationToken ct)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limit.CancelAfter(TimeSpan.FromSeconds(ProbeSeconds));
        try
        {
            // A database that does not respond does not end the read in time either.
            return await ReadAsync(database, limit.Token).WaitAsync(limit.Token);
        }
        catch (Exception exception) when (exception is NpgsqlException or SocketException or OperationCanceledException)
        {
            Log.NotReady(logger, exception.Reason, exception.Unexpected);
            return false;
        }
    }

    private static async Task<bool> ReadAsync(NpgsqlDataSource database, CancellationToken ct)
    {
        using var delayed = new DelayedCancellation(TimeSpan.Zero, ct);
        await using var command = database.CreateCommand($"SELECT epoch FROM {ReadTables.ProjectionState}");
        return await command.ExecuteScalarAsync(delayed.Token) is not null;
    }
}
