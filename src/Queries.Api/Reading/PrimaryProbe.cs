using ApexShop.Hosting;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>Asks the server that this process reads from whether it is the primary.</summary>
internal interface IPrimaryProbe
{
    /// <exception cref="Exception">It is not, or does not answer in time.</exception>
    Task ProbeAsync();
}

/// <summary>A commit that waits for the replica, which does not follow a server that was replaced.</summary>
internal sealed class PrimaryProbe(IOptions<ReadingOptions> reading) : IPrimaryProbe, IAsyncDisposable
{
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(2);

    // PostgreSQL answers a commit whose wait was cancelled as if the replica had it: the connection ends instead.
    private readonly NpgsqlDataSource database = ReadDatabase.Open(
        new NpgsqlConnectionStringBuilder(reading.Value.ConnectionString) { CancellationTimeout = -1 }.ConnectionString,
        "primary", 1, reading.Value.WaitSeconds, ReadDatabase.ScanSettings);

    public async Task ProbeAsync()
    {
        using var delayed = DelayedCancellation.After(limit);
        // A replica that this process reads from by its settings is no primary.
        await using var command =
            database.CreateCommand($"SELECT CASE WHEN NOT pg_is_in_recovery() THEN {PrimaryCheck.Sql} END");
        await command.ExecuteNonQueryAsync(delayed.Token);
    }

    public ValueTask DisposeAsync() => database.DisposeAsync();
}
