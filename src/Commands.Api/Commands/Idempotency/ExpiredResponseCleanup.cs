using ApexShop.Errors;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Commands.Idempotency;

/// <summary>Deletes expired responses, one chunk per statement, in every process.</summary>
internal sealed class ExpiredResponseCleanup(
    NpgsqlDataSource database,
    TimeProvider clock,
    IOptions<IdempotencyOptions> options,
    ILogger<ExpiredResponseCleanup> logger) : BackgroundService
{
    // In the order of expiry: processes that run this concurrently lock the rows in the same order.
    private const string DeleteChunk =
        """
        DELETE FROM shop.idempotency_keys WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM shop.idempotency_keys WHERE expires_at <= now() ORDER BY expires_at LIMIT $1))
        """;

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(options.Value.SweepInterval, clock);
        while (await timer.WaitForNextTickAsync(stoppingToken))
        {
            try
            {
                await DeleteAsync(stoppingToken);
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                logger.SweepFailed(exception.Reason, exception.Unexpected);
            }
        }
    }

    private async Task DeleteAsync(CancellationToken ct)
    {
        var chunk = options.Value.SweepChunk;
        int deleted;
        do
        {
            await using var command = database.CreateCommand(DeleteChunk);
            command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = chunk });
            deleted = await command.ExecuteNonQueryAsync(ct);
        }
        while (deleted == chunk);
    }
}
