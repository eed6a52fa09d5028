using ApexShop.Commands.Api.Persistence;
using Npgsql;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>Connections without a pool: closing one ends its session, and with it the leader's lease.</summary>
internal sealed class LeaderConnections(string connectionString) : ILeaderConnections, IAsyncDisposable
{
    /// <summary>The application_name in pg_stat_activity.</summary>
    public const string Name = "apexshop outbox leader";

    // The session of a lost machine ends, so that another process can lead. work_mem and enable_seqscan keep the
    // sequencer fast with a backlog: it sorts a batch in memory and never scans the whole outbox.
    private const string Settings =
        $"{PersistenceRegistration.LostMachineLimits} -c jit=off -c work_mem=32MB -c enable_seqscan=off";

    private readonly NpgsqlDataSource connections = Create(new(connectionString));

    public async ValueTask<ILeaderConnection> OpenAsync(CancellationToken ct) =>
        new LeaderConnection(await connections.OpenConnectionAsync(ct));

    public ValueTask DisposeAsync() => connections.DisposeAsync();

    private static NpgsqlDataSource Create(NpgsqlConnectionStringBuilder connection)
    {
        // A pool would keep the session, and so the lease, after the connection is closed.
        connection.Pooling = false;
        connection.ApplicationName = Name;
        connection.MaxAutoPrepare = 10;
        // A leader that does not reach the server stops leading, as the server ends the session of a lost leader.
        connection.CommandTimeout = 15;
        connection.Options = $"{connection.Options} {Settings}".TrimStart();
        return new NpgsqlDataSourceBuilder(connection.ConnectionString) { Name = "leader" }.Build();
    }
}
