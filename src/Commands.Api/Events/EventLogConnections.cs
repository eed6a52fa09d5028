using Npgsql;

namespace ApexShop.Commands.Api.Events;

/// <summary>The connection pool of the log's readers, separate from that of the commands.</summary>
internal sealed class EventLogConnections(NpgsqlDataSource connections) : IAsyncDisposable
{
    /// <summary>The name of the sessions in pg_stat_activity.</summary>
    public const string Name = "apexshop events";

    // A generic plan for any limit and any number of types would assume a tenth of the log, and read all of it.
    private const string Settings = "-c jit=off -c enable_seqscan=off -c plan_cache_mode=force_custom_plan";

    public static EventLogConnections Create(string connectionString, int max)
    {
        var connection = new NpgsqlConnectionStringBuilder(connectionString)
        {
            // One more, on which the tail listens.
            MaxPoolSize = max + 1,
            ApplicationName = Name,
            MaxAutoPrepare = 20,
        };
        connection.Options = $"{connection.Options} {Settings}".TrimStart();
        return new(new NpgsqlDataSourceBuilder(connection.ConnectionString) { Name = "events" }.Build());
    }

    public ValueTask<NpgsqlConnection> OpenAsync(CancellationToken ct) => connections.OpenConnectionAsync(ct);

    public ValueTask DisposeAsync() => connections.DisposeAsync();
}
