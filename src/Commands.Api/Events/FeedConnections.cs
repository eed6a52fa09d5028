using Npgsql;

namespace ApexShop.Commands.Api.Events;

/// <summary>Connections of the feed alone: however many read the log, the commands keep theirs.</summary>
internal sealed class FeedConnections(string connectionString, int most) : IAsyncDisposable
{
    /// <summary>Seen in pg_stat_activity.</summary>
    public const string Name = "apexshop events";

    private readonly NpgsqlDataSource connections = new NpgsqlDataSourceBuilder(
        new NpgsqlConnectionStringBuilder(connectionString)
        {
            // One more for the tail, which keeps its own to listen on.
            MaxPoolSize = most + 1,
            ApplicationName = Name,
            MaxAutoPrepare = 20,
            // A plan for any limit and any number of types would reckon with a tenth of the log, and read the whole of it.
            Options = "-c jit=off -c enable_seqscan=off -c plan_cache_mode=force_custom_plan",
        }.ConnectionString) { Name = "events" }.Build();

    public ValueTask<NpgsqlConnection> OpenAsync(CancellationToken ct) => connections.OpenConnectionAsync(ct);

    public ValueTask DisposeAsync() => connections.DisposeAsync();
}
