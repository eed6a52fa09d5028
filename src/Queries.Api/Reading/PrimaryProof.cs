using ApexShop.Hosting;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>Proves that the server that this process reads from is the primary.</summary>
internal interface IPrimaryProof
{
    /// <exception cref="Exception">It did not prove it in time, or no server answers.</exception>
    Task ProveAsync();
}

/// <summary>The proof is a commit that waits for the replica, which does not follow a server that was replaced.</summary>
internal sealed class PrimaryProof(IOptions<ReadingOptions> reading) : IPrimaryProof, IAsyncDisposable
{
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(2);

    // PostgreSQL answers a commit whose wait was cancelled as if the replica had it: the connection ends instead.
    private readonly NpgsqlDataSource database = ReadDatabase.Open(
        new NpgsqlConnectionStringBuilder(reading.Value.ConnectionString) { CancellationTimeout = -1 }.ConnectionString,
        "primary", 1, reading.Value.WaitSeconds, ReadDatabase.ScanSettings);

    public async Task ProveAsync()
    {
        using var delayed = DelayedCancellation.After(limit);
        // A replica that this process is to read from has nothing to prove.
        await using var command =
            database.CreateCommand($"SELECT CASE WHEN NOT pg_is_in_recovery() THEN {PrimaryCheck.Sql} END");
        await command.ExecuteNonQueryAsync(delayed.Token);
    }

    public ValueTask DisposeAsync() => database.DisposeAsync();
}
