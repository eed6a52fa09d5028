using System.Diagnostics;
using ApexShop.Commands.Api.Outbox;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Operations.Actions;

/// <summary>
/// Records what operators do, before it is done: in the log, and in table shop.operator_actions. An action is not
/// refused when the table cannot be written, because it may be what an outage needs; the log then has the only record.
/// </summary>
internal sealed class OperatorActions(
    NpgsqlDataSource database,
    Actor actor,
    IOptions<OperatorActionOptions> options,
    ILogger<OperatorActions> logger)
{
    private const string Insert =
        "INSERT INTO shop.operator_actions (time, actor, action, path, correlation_id) VALUES (now(), $1, $2, $3, $4)";

    // Each action adds a row and deletes up to a thousand, so that none waits for many.
    private const string Expire =
        """
        DELETE FROM shop.operator_actions WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM shop.operator_actions WHERE time < now() - make_interval(days => $1)
            ORDER BY time LIMIT 1000))
        """;

    private static readonly TimeSpan timeout = TimeSpan.FromSeconds(2);

    /// <param name="action">The operation id.</param>
    /// <param name="path">The path of the request: it names the aggregate or message, and nothing of a person.</param>
    /// <param name="ct">Cancels the statements.</param>
    public async Task RecordAsync(string action, string path, CancellationToken ct)
    {
        logger.OperatorActs(action, actor.Name);
        using var limited = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limited.CancelAfter(timeout);
        try
        {
            await StoreAsync(action, path, limited.Token);
        }
        catch (Exception failure) when (!ct.IsCancellationRequested)
        {
            logger.ActionNotStored(action, failure.GetBaseException().Message);
        }
    }

    private async Task StoreAsync(string action, string path, CancellationToken ct)
    {
        var correlationId = (object?)Activity.Current?.TraceId.ToHexString() ?? DBNull.Value;
        await using var batch = database.CreateBatch();
        batch.BatchCommands.Add(new NpgsqlBatchCommand(Insert)
        {
            Parameters =
            {
                new() { Value = actor.Name }, new() { Value = action }, new() { Value = path },
                new() { Value = correlationId, NpgsqlDbType = NpgsqlTypes.NpgsqlDbType.Text },
            },
        });
        batch.BatchCommands.Add(new NpgsqlBatchCommand(Expire)
        {
            Parameters = { new() { Value = options.Value.RetentionDays } },
        });
        await batch.ExecuteNonQueryAsync(ct);
    }
}
