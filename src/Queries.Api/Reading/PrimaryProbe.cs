using ApexShop.Errors;
using ApexShop.Hosting;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Queries.Api.Reading;

/// <summary>Asks the servers of <c>ConnectionStrings:Read</c> whether one was replaced as the primary.</summary>
internal interface IPrimaryProbe
{
    /// <exception cref="Exception">One was, or none answers in time.</exception>
    Task ProbeAsync();
}

/// <summary>
/// Each server of the connection string commits with its replica, which does not follow a server that was replaced.
/// </summary>
internal sealed class PrimaryProbe(IOptions<ReadingOptions> reading) : IPrimaryProbe, IAsyncDisposable
{
    // A replica has nothing to commit.
    private const string Sql = $"SELECT CASE WHEN NOT pg_is_in_recovery() THEN {PrimaryCheck.Sql} END";

    private static readonly TimeSpan limit = TimeSpan.FromSeconds(2);

    private readonly NpgsqlDataSource[] servers = [.. OpenEach(reading.Value)];

    public async Task ProbeAsync()
    {
        var answered = await Task.WhenAll(servers.Select(AnswersAsync));
        if (!answered.Contains(true)) throw new NpgsqlException("No server answers.");
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var server in servers) await server.DisposeAsync();
    }

    // False for a server that cannot be reached.
    private static async Task<bool> AnswersAsync(NpgsqlDataSource server)
    {
        using var delayed = DelayedCancellation.After(limit);
        await using var connection = await OpenAsync(server, delayed.Token);
        if (connection is null) return false;
        await using var commit = new NpgsqlCommand(Sql, connection);
        await commit.ExecuteNonQueryAsync(delayed.Token);
        // PostgreSQL answers a commit whose wait was cancelled as if the replica had it.
        delayed.Token.ThrowIfCancellationRequested();
        return true;
    }

    private static async Task<NpgsqlConnection?> OpenAsync(NpgsqlDataSource server, CancellationToken ct)
    {
        try
        {
            return await server.OpenConnectionAsync(ct);
        }
        catch (Exception failure) when (failure switch
        {
            PostgresException { SqlState: var state } => state == PostgresErrorCodes.CannotConnectNow,
            _ => failure is OperationCanceledException || failure.IsDatabaseFailure,
        })
        {
            return null;
        }
    }

    private static IEnumerable<NpgsqlDataSource> OpenEach(ReadingOptions reading)
    {
        var given = new NpgsqlConnectionStringBuilder(reading.ConnectionString);
        foreach (var host in given.Host!.Split(',', StringSplitOptions.TrimEntries))
        {
            var one = new NpgsqlConnectionStringBuilder(given.ConnectionString) { Host = host };
            one.Remove("Target Session Attributes");
            one.Remove("Host Recheck Seconds");
            yield return ReadDatabase.OpenSingle(one.ConnectionString, "primary", reading.WaitSeconds);
        }
    }
}
