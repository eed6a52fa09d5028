using ApexShop.Projector.Telemetry;
using Npgsql;

namespace ApexShop.Projector.CacheInvalidation;

/// <summary>
/// Raises the tags of committed changes. They are stored in the database until they are raised, so that neither a crash
/// after the commit nor an unavailable Redis loses one; the loop raises those that are left.
/// </summary>
internal sealed class TagRaiser(
    NpgsqlDataSource database, TagGenerations generations, TimeProvider clock, ILogger<TagRaiser> logger)
    : BackgroundService
{
    private static readonly TimeSpan interval = TimeSpan.FromSeconds(1);

    private uint raised;

    /// <summary>The stored tags that this process has not raised.</summary>
    public PendingTags Unraised(PendingTags stored) =>
        stored.Version == Volatile.Read(ref raised) ? stored with { Tags = [] } : stored;

    public async Task RaiseAsync(PendingTags stored, CancellationToken ct)
    {
        if (Unraised(stored).Tags.Count == 0) return;
        using var span = ProjectorMeter.Activities.StartActivity("raise tags")?.SetTag(
            "apexshop.tags", stored.Tags.Count);
        if (await generations.RaiseAsync(stored.Tags, ct)) Volatile.Write(ref raised, stored.Version);
    }

    /// <summary>Raises the stored tags and clears them, unless a batch stored more meanwhile.</summary>
    public async Task RaiseStoredAsync(CancellationToken ct)
    {
        await using var connection = await database.OpenConnectionAsync(ct);
        if (await StoredAsync(connection, ct) is not { } stored) return;

        await RaiseAsync(stored, ct);
        if (Unraised(stored).Tags.Count > 0) return;

        await using var clear = new NpgsqlCommand(
            "UPDATE read.projection_state SET pending_tags = '{}' WHERE xmin = $1", connection)
        {
            Parameters = { new() { Value = stored.Version, NpgsqlDbType = NpgsqlTypes.NpgsqlDbType.Xid } },
        };
        await clear.ExecuteNonQueryAsync(ct);
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(interval, clock);
        do
        {
            try
            {
                await RaiseStoredAsync(stoppingToken);
            }
            catch (Exception exception) when (!stoppingToken.IsCancellationRequested)
            {
                logger.TagsNotRead(exception.Message);
            }
        }
        while (await timer.WaitForNextTickAsync(stoppingToken));
    }

    private static async Task<PendingTags?> StoredAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        await using var select = new NpgsqlCommand(PendingTags.SelectSql + " WHERE pending_tags <> '{}'", connection);
        await using var reader = await select.ExecuteReaderAsync(ct);
        return await reader.ReadAsync(ct) ? PendingTags.From(reader) : null;
    }
}
