using ApexShop.Commands.Api.Persistence;
using Npgsql;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>Connections without a pool: closing one ends its session, and with it the leader's lease.</summary>
internal sealed class LeaderConnections(string connectionString) : ILeaderConnections, IAsyncDisposable
{
    /// <summary>The application_name in pg_stat_activity.</summary>
    public const string Name = "apexshop outbox leader";

    private readonly NpgsqlDataSource connections = new NpgsqlDataSourceBuilder(
        new NpgsqlConnectionStringBuilder(connectionString)
        {
            // A pool would keep the session, and so the lease, after the connection is closed.
            Pooling = false,
            ApplicationName = Name,
            MaxAutoPrepare = 10,
            // A leader that does not reach the server stops leading, as the server ends the session of a lost leader.
            CommandTimeout = 15,
            // The session of a lost machine ends, so that another process can lead. work_mem and enable_seqscan keep
            // the sequencer fast with a backlog: it sorts a batch in memory and never scans the whole outbox.
            Options = $"{PersistenceRegistration.LostMachineLimits} -c jit=off -c work_mem=32MB -c enable_seqscan=off",
        }.ConnectionString) { Name = "leader" }.Build();

    public async ValueTask<ILeaderConnection> OpenAsync(CancellationToken ct) =>
        new LeaderConnection(await connections.OpenConnectionAsync(ct));

    public ValueTask DisposeAsync() => connections.DisposeAsync();
}
