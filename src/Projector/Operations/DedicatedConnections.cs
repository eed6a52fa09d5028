using Npgsql;

namespace ApexShop.Projector.Operations;

/// <summary>
/// Connections of rebuilds and audits. They are not pooled, so that their locks end with them, and have no time limit,
/// because building an index may take long.
/// </summary>
internal sealed class DedicatedConnections(string connectionString)
{
    private readonly string settings = new NpgsqlConnectionStringBuilder(connectionString)
    {
        ApplicationName = "apexshop-projector-session",
        Pooling = false,
        CommandTimeout = 0,
        // The server notices a Projector that crashed, and releases its lock.
        TcpKeepAlive = true,
        // The same as in the pool: the same statements run here.
        Options = "-c enable_seqscan=off -c jit=off",
    }.ConnectionString;

    public async Task<NpgsqlConnection> OpenAsync(CancellationToken ct)
    {
        var connection = new NpgsqlConnection(settings);
        await connection.OpenAsync(ct);
        return connection;
    }
}
