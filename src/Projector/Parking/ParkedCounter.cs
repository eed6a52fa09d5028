using ApexShop.Projector.Batches;
using ApexShop.Projector.Hosting;
using Npgsql;

namespace ApexShop.Projector.Parking;

/// <summary>Counts every few seconds what is parked, so that whoever reads the metrics asks nothing of the database.</summary>
internal sealed class ParkedCounter(
    NpgsqlDataSource database, ProjectorMetrics metrics, TimeProvider clock, ILogger<ParkedCounter> logger) : BackgroundService
{
    private const string Sql = """
        SELECT count(*), count(DISTINCT (resource, aggregate_id)), (SELECT count(*) FROM read.dead_letters) FROM read.parked_events
        """;

    private static readonly TimeSpan interval = TimeSpan.FromSeconds(5);

    public async Task CountAsync(CancellationToken ct)
    {
        await using var command = database.CreateCommand(Sql);
        await using var row = await command.ExecuteReaderAsync(ct);
        await row.ReadAsync(ct);
        metrics.Count(new(row.GetInt64(0), row.GetInt64(1), row.GetInt64(2)));
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(interval, clock);
        do
        {
            try
            {
                await CountAsync(stoppingToken);
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                logger.ParkedNotCounted(exception.Message);
            }
        }
        while (await timer.WaitForNextTickAsync(stoppingToken));
    }
}
