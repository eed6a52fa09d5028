using ApexShop.Operations;
using ApexShop.Projector.Projecting;
using ApexShop.ReadModels;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// Rebuilds documents that have another currency than the shop. It runs after the start of a Projector until all have
/// that of its settings or its rebuild has succeeded, and not again: two Projectors with different settings would
/// rebuild in turn for ever.
/// </summary>
internal sealed class CurrencyCheck(
    NpgsqlDataSource database,
    Projections projections,
    Rebuilder rebuilder,
    RebuildRecord record,
    IOptions<RebuildingOptions> options,
    ILogger<CurrencyCheck> logger)
{
    private string? reported;
    private DateTimeOffset? begun;

    /// <summary>Begins a rebuild where one is needed; false while it is not known to have succeeded.</summary>
    public async Task<bool> RunAsync(CancellationToken ct)
    {
        if (await FindOtherAsync(ct) is not { } found) return true;
        if (begun is not null && await IsOverAsync(ct)) return true;
        var follows = options.Value.AfterRestore;
        if (found != reported) logger.OtherCurrency(found, follows ? "They are rebuilt" : "Run ./apexshop rebuild");
        reported = found;
        if (!follows) return true;
        var status = await rebuilder.BeginAutomaticAsync(found, async () => await FindOtherAsync(ct) is not null, ct);
        begun = status?.StartedAt ?? begun;
        return false;
    }

    // After the rebuild that was begun here, another Projector may have run one with another currency.
    private async Task<bool> IsOverAsync(CancellationToken ct)
    {
        var last = await record.ReadAsync(ct);
        return last.StartedAt != begun || last.State == RebuildState.Done;
    }

    /// <summary>Which documents have another currency; null if none have.</summary>
    public async Task<string?> FindOtherAsync(CancellationToken ct)
    {
        await using var command = database.CreateCommand(
            $"SELECT resource, currency FROM {ReadTables.Checkpoints} "
                + "WHERE position > 0 AND currency IS DISTINCT FROM $1 LIMIT 1");
        command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = projections.Currency });
        await using var rows = await command.ExecuteReaderAsync(ct);
        if (!await rows.ReadAsync(ct)) return null;
        var currency = rows.IsDBNull(1) ? "no currency" : $"the currency {rows.GetString(1)}";
        return $"the {rows.GetString(0)} have {currency}, and Shop:Currency is {projections.Currency}";
    }
}
