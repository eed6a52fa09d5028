using ApexShop.Projector.Documents;
using Npgsql;

namespace ApexShop.Projector.Operations;

/// <summary>Connections of rebuilds and audits. They are not pooled, so that their locks end with them.</summary>
internal sealed class DedicatedConnections(string connectionString)
{
    // No time limit, because building an index may take long. The same statements as in the pool run here.
    private readonly string session = Settings(
        connectionString,
        HungLockCleanup.SessionName,
        commandSeconds: 0,
        $"-c statement_timeout=0 {ReadDatabase.PlannerSettings}");

    private readonly string heartbeat = Settings(
        connectionString,
        "apexshop-projector-heartbeat",
        ReadDatabase.HangLimit / 1000,
        $"-c idle_session_timeout={ReadDatabase.HangLimit}");

    public Task<NpgsqlConnection> OpenAsync(CancellationToken ct) => OpenAsync(session, ct);

    /// <summary>A connection whose session ends when nothing is sent for some seconds.</summary>
    public Task<NpgsqlConnection> OpenHeartbeatAsync(CancellationToken ct) => OpenAsync(heartbeat, ct);

    private static string Settings(string connectionString, string name, int commandSeconds, string options)
    {
        var connection = new NpgsqlConnectionStringBuilder(connectionString)
        {
            ApplicationName = name,
            Pooling = false,
            CommandTimeout = commandSeconds,
            // A rebuild goes on after a statement that took too long. In a cluster, where a cancelled commit ends the
            // connection otherwise, a later commit waits for what the cancelled one has written, too.
            CancellationTimeout = 2_000,
            // A server that vanished during a long statement is noticed after some 20 seconds, not after two hours.
            TcpKeepAlive = true,
            TcpKeepAliveTime = 5,
            TcpKeepAliveInterval = 2,
        };
        connection.Options = $"{connection.Options} {options}".TrimStart();
        return connection.ConnectionString;
    }

    private static async Task<NpgsqlConnection> OpenAsync(string settings, CancellationToken ct)
    {
        var connection = new NpgsqlConnection(settings);
        await connection.OpenAsync(ct);
        return connection;
    }
}
