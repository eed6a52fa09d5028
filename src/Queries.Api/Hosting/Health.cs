using System.Net.Sockets;
using ApexShop.Hosting;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Reading;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Queries.Api.Hosting;

/// <summary>GET /health/live and GET /health/ready, for probes: no key, no pipeline.</summary>
internal static class Health
{
    public const string Live = "HealthLive";
    public const string Ready = "HealthReady";

    private const int ProbeSeconds = 2;

    public static void MapHealth(this WebApplication app)
    {
        var logger = app.Services.GetRequiredService<ILoggerFactory>().CreateLogger(typeof(Health).FullName!);
        var database = app.Services.GetRequiredService<ReadDatabase>().Pages;
        var redis = app.Services.GetRequiredService<TagFence>();

        app.MapGet("/health/live", HealthAnswer.LiveAsync).WithName(Live).ShortCircuit();
        app.MapGet("/health/ready", ReadyAsync).WithName(Ready).ShortCircuit();

        async Task ReadyAsync(HttpContext http)
        {
            var isUp = await IsUpAsync(database, logger, http.RequestAborted);
            // Without Redis answers are right and only kept for moments: no reason to be taken out of service.
            await HealthAnswer.ReadyAsync(http, isUp, [("postgres", isUp), ("redis", redis.IsLive)]);
        }
    }

    // A schema that was not migrated is as little ready as a server that is down, so the probe asks for its state.
    private static async Task<bool> IsUpAsync(NpgsqlDataSource database, ILogger logger, CancellationToken ct)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limit.CancelAfter(TimeSpan.FromSeconds(ProbeSeconds));
        try
        {
            await using var command = database.CreateCommand($"SELECT epoch FROM {ReadTables.ProjectionState}");
            return await command.ExecuteScalarAsync(limit.Token) is not null;
        }
        catch (Exception exception) when (exception is NpgsqlException or SocketException or OperationCanceledException)
        {
            Log.NotReady(logger, exception);
            return false;
        }
    }
}
