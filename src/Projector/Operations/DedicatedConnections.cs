using Npgsql;

namespace ApexShop.Projector.Operations;

/// <summary>
/// Sessions of rebuilds and audits, which end with their connection and with them what they have locked: none is shared or
/// kept, and an index may take as long as it takes.
/// </summary>
internal sealed class DedicatedConnections(string connectionString)
{
    private readonly string settings = new NpgsqlConnectionStringBuilder(connectionString)
    {
        ApplicationName = "apexshop-projector-session",
        Pooling = false,
        CommandTimeout = 0,
        // A Projector that dies without a word is noticed, and its lock given back.
        TcpKeepAlive = true,
        // As the other connections of the Projector, whose statements run here too.
        Options = "-c enable_seqscan=off -c jit=off",
    }.ConnectionString;

    public async Task<NpgsqlConnection> OpenAsync(CancellationToken ct)
    {
        var connection = new NpgsqlConnection(settings);
        await connection.OpenAsync(ct);
        return connection;
    }
}
