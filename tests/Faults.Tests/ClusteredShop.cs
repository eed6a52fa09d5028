namespace ApexShop.Faults.Tests;

/// <summary>Two Commands.Api, two Projectors and three Queries.Api over one database.</summary>
public sealed class ClusteredShop : IAsyncDisposable
{
    private const string LeaderSql = """
        SELECT client_port FROM pg_stat_activity JOIN shop.leader ON (pid, backend_start) = (holder, holder_since)
        """;

    // The process that committed a batch last; the standby commits only after a second without any.
    private const string ActiveSql = """
        SELECT client_port FROM pg_stat_activity
        WHERE usename = 'projector' AND datname = current_database() AND query = 'COMMIT' ORDER BY state_change DESC
            LIMIT 1
        """;

    private ClusteredShop(Shop shop) => Shop = shop;

    public Shop Shop { get; }

    internal ShopState State => new(Shop);

    public IReadOnlyList<ShopProcess> Commands { get; private set; } = [];

    public IReadOnlyList<ShopProcess> Projectors { get; private set; } = [];

    public IReadOnlyList<ShopProcess> Queries { get; private set; } = [];

    public IEnumerable<ShopProcess> All => [.. Commands, .. Projectors, .. Queries];

    public static async Task<ClusteredShop> StartAsync(
        ShopServers servers, params (string Name, string Value)[] settings)
    {
        var shop = await Shop.StartAsync(servers, settings);
        var cluster = new ClusteredShop(shop);
        try
        {
            await cluster.GrowAsync();
            return cluster;
        }
        catch
        {
            await shop.DisposeAsync();
            throw;
        }
    }

    /// <summary>The Commands.Api that sequences and publishes.</summary>
    public Task<ShopProcess> LeaderAsync() => OwnerAsync(Commands, LeaderSql, "a Commands.Api leads");

    /// <summary>The Projector that the broker delivers to.</summary>
    public Task<ShopProcess> ActiveProjectorAsync() => OwnerAsync(Projectors, ActiveSql, "a Projector is active");

    public ValueTask DisposeAsync() => Shop.DisposeAsync();

    private async Task GrowAsync()
    {
        var commands = Shop.AddCommandsAsync();
        var projector = Shop.AddProjectorAsync();
        var queries = Shop.AddQueriesAsync();
        var more = Shop.AddQueriesAsync();
        (Commands, Projectors, Queries) = (
            [Shop.Commands, await commands],
            [Shop.Projector, await projector],
            [Shop.Queries, await queries, await more]);
        foreach (var one in Projectors) one.Set("EventLog__Fallbacks__0", Commands[1].Url.ToString());
    }

    private async Task<ShopProcess> OwnerAsync(IReadOnlyList<ShopProcess> processes, string portSql, string what)
    {
        ShopProcess? owner = null;
        await Eventually.Holds(
            async () =>
            {
                var rows = await State.Database.RowsAsync(portSql);
                var port = rows.Count == 0 ? 0 : int.Parse(rows[0], System.Globalization.CultureInfo.InvariantCulture);
                owner = processes.FirstOrDefault(process => process.IsRunning && Sockets.Owns(process.Id, port));
                return owner is not null;
            },
            what);
        return owner!;
    }
}
