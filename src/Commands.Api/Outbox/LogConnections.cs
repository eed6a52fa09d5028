using Npgsql;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>Connections to the outbox and the log.</summary>
internal sealed class LogConnections(string connectionString) : IAsyncDisposable
{
    /// <summary>Seen in pg_stat_activity.</summary>
    public const string LeaderName = "apexshop outbox leader";

    private readonly NpgsqlDataSource readers = NpgsqlDataSource.Create(connectionString);
    private readonly NpgsqlDataSource leaders = NpgsqlDataSource.Create(Leading(connectionString));

    /// <summary>A pooled connection, for short reads.</summary>
    public ValueTask<NpgsqlConnection> OpenReaderAsync(CancellationToken ct) => readers.OpenConnectionAsync(ct);

    /// <summary>A connection whose session ends when it is closed, and with it the lock that makes a leader.</summary>
    public ValueTask<NpgsqlConnection> OpenLeaderAsync(CancellationToken ct) => leaders.OpenConnectionAsync(ct);

    public async ValueTask DisposeAsync()
    {
        await leaders.DisposeAsync();
        await readers.DisposeAsync();
    }

    private static string Leading(string connectionString) => new NpgsqlConnectionStringBuilder(connectionString)
    {
        // A pool would keep the session, hence the lock, after the connection was closed.
        Pooling = false,
        ApplicationName = LeaderName,
        MaxAutoPrepare = 10,
        // The server ends the session of a machine that vanished within some ten seconds, so that another may lead.
        // Sorting a batch in memory and never scanning the whole outbox keep a backlog from slowing the sequencer.
        Options = "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 "
            + "-c jit=off -c work_mem=32MB -c enable_seqscan=off",
    }.ConnectionString;
}
