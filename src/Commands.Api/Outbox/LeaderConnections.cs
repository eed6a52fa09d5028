using Npgsql;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>Connections whose session ends when they are closed, and with it the lock that makes a leader.</summary>
internal sealed class LeaderConnections(string connectionString) : IAsyncDisposable
{
    /// <summary>Seen in pg_stat_activity.</summary>
    public const string Name = "apexshop outbox leader";

    private readonly NpgsqlDataSource connections = new NpgsqlDataSourceBuilder(
        new NpgsqlConnectionStringBuilder(connectionString)
        {
            // A pool would keep the session, hence the lock, after the connection was closed.
            Pooling = false,
            ApplicationName = Name,
            MaxAutoPrepare = 10,
            // A leader that cannot reach its server gives up, as the server gives up a leader that it cannot reach.
            CommandTimeout = 15,
            // The server ends the session of a machine that vanished within some ten seconds, so that another may lead.
            // Sorting a batch in memory and never scanning the whole outbox keep a backlog from slowing the sequencer.
            Options = "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 "
                + "-c jit=off -c work_mem=32MB -c enable_seqscan=off",
        }.ConnectionString) { Name = "leader" }.Build();

    public ValueTask<NpgsqlConnection> OpenAsync(CancellationToken ct) => connections.OpenConnectionAsync(ct);

    public ValueTask DisposeAsync() => connections.DisposeAsync();
}
