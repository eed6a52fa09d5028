using ApexShop.Errors;
using ApexShop.Hosting;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Reading;
using ApexShop.ReadModels;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Hosting;

/// <summary>The probes. The process is not ready without its database; without Redis it is.</summary>
internal static class Health
{
    public static void AddHealth(this WebApplicationBuilder builder) =>
        builder.Services.AddSingleton(services => Check(services.GetRequiredService<IOptions<ReadingOptions>>().Value));

    public static void MapHealth(this WebApplication app)
    {
        var logger = app.Services.GetRequiredService<ILoggerFactory>().CreateLogger(typeof(Health).FullName!);
        var database = app.Services.GetRequiredService<DatabaseCheck>();
        var fence = app.Services.GetRequiredService<TagFence>();
        var pause = app.Services.GetRequiredService<PauseCheck>();
        app.MapProbes(async ct =>
        {
            var isUp = await IsUpAsync(database, logger, ct) && !pause.IsPaused;
            // Without Redis, or tags that are raised in it, responses are correct and cached for a few seconds only.
            return new Readiness(
                isUp, [("postgres", isUp), ("redis", fence.IsLive), ("cacheTags", fence.IsUpToDate)]);
        });
    }

    private static async Task<bool> IsUpAsync(DatabaseCheck database, ILogger logger, CancellationToken ct)
    {
        try
        {
            await database.ReadAsync(ct);
            return true;
        }
        catch (Exception exception) when (exception is OperationCanceledException || exception.IsDatabaseFailure)
        {
            logger.NotReady(exception.Reason, exception.Unexpected);
            return false;
        }
    }

    private static DatabaseCheck Check(ReadingOptions reading) => new(
        ReadDatabase.OpenSingle(reading.ConnectionString, "health", DatabaseCheck.ConnectSeconds),
        $"SELECT epoch FROM {ReadTables.Epoch}");
}
