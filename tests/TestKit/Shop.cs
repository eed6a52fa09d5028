using ApexShop.Caching;
using ApexShop.Messaging;
using RabbitMQ.Client;

namespace ApexShop.TestKit;

/// <summary>
/// A whole shop of one test: real processes, production's roles, its own database and its own names on the
/// broker. Disposing it stops and removes everything.
/// </summary>
public sealed class Shop : IAsyncDisposable
{
    private readonly List<ShopProcess> processes = [];
    private readonly string run = Guid.NewGuid().ToString("N")[..12];
    private readonly ShopServers servers;
    private readonly (string Name, string Value)[] settings;

    private Shop(TestDatabase database, ShopServers servers, (string Name, string Value)[] settings)
    {
        Database = database;
        (this.servers, this.settings) = (servers, settings);
        Queries = NewQueries("queries");
        Projector = NewProjector("projector");
        Commands = NewCommands("commands");
        // Each of the two needs the other's address.
        Projector.Set("EventLog__Url", Commands.Url.ToString());
        Queries.Set("Storefront__CommandsUrl", OriginOf(Commands));
        Queries.Set("Cors__Origins__0", OriginOf(Commands));
        foreach (var process in (ShopProcess[])[Queries, Commands, Projector]) Add(process);
    }

    public TestDatabase Database { get; }

    public Uri Broker => servers.Broker;

    public string Exchange => $"{Topology.Exchange}.{run}";

    public string ProjectorQueue => $"{Topology.ProjectorQueue}.{run}";

    public string CachePrefix => $"{CacheNames.DefaultPrefix}{run}:";

    public ShopProcess Commands { get; }

    public ShopProcess Queries { get; }

    public ShopProcess Projector { get; }

    /// <summary>
    /// Starts a shop that is ready for requests; <paramref name="broker"/> is the shared test broker by default, and
    /// <paramref name="settings"/> are those of every process.
    /// </summary>
    public static Task<Shop> StartAsync(Uri? broker = null, IReadOnlyDictionary<string, string>? settings = null) =>
        StartAsync(
        broker is null ? ShopServers.Shared : ShopServers.Shared with { Broker = broker },
        [.. (settings ?? new Dictionary<string, string>()).Select(setting => (setting.Key, setting.Value))]);

    /// <summary>The same on private servers.</summary>
    public static async Task<Shop> StartAsync(ShopServers servers, params (string Name, string Value)[] settings)
    {
        var database = await TestDatabase.CreateAsync("shop", ShopPrograms.MigrateAsync, servers.Postgres);
        var shop = new Shop(database, servers, settings);
        try
        {
            foreach (var process in shop.processes) process.Start();
            foreach (var process in shop.processes) await process.ReadyAsync();
            return shop;
        }
        catch
        {
            await shop.DisposeAsync();
            throw;
        }
    }

    /// <summary>A second Commands.Api on the same database.</summary>
    public Task<ShopProcess> AddCommandsAsync() => AddAsync(NewCommands("commands 2"));

    /// <summary>A second Projector on the same queue.</summary>
    public Task<ShopProcess> AddProjectorAsync()
    {
        var projector = NewProjector("projector 2");
        projector.Set("EventLog__Url", Commands.Url.ToString());
        return AddAsync(projector);
    }

    /// <summary>One more Queries.Api.</summary>
    public Task<ShopProcess> AddQueriesAsync() => AddAsync(NewQueries($"queries {processes.Count}"));

    /// <summary>The last lines of every process's output.</summary>
    public string Tail(int lines = 25) => string.Join('\n', processes.Select(process => process.Tail(lines)));

    public async ValueTask DisposeAsync()
    {
        foreach (var process in processes) await process.DisposeAsync();
        await ForgetNamesAsync();
        await Database.DisposeAsync();
    }

    private static string OriginOf(ShopProcess process) => process.Url.GetLeftPart(UriPartial.Authority);

    private async Task<ShopProcess> AddAsync(ShopProcess process)
    {
        Add(process);
        await process.StartAsync();
        return process;
    }

    private void Add(ShopProcess process)
    {
        foreach (var (name, value) in settings) process.Set(name, value);
        processes.Add(process);
    }

    // A private broker may have been removed already.
    private async Task ForgetNamesAsync()
    {
        if (servers.Broker != ShopServers.Shared.Broker) return;
        await using var connection = await new ConnectionFactory { Uri = Broker }.CreateConnectionAsync();
        await using var channel = await connection.CreateChannelAsync();
        foreach (var name in (string[])[
            ProjectorQueue, Topology.DeadLettersOf(ProjectorQueue), $"{ProjectorQueue}_skipped",
        ])
        {
            await channel.QueueDeleteAsync(name);
            await channel.ExchangeDeleteAsync(name);
        }

        await channel.ExchangeDeleteAsync(Exchange);
    }

    private ShopProcess NewCommands(string name)
    {
        var environment = new Dictionary<string, string>
        {
            ["ConnectionStrings__Shop"] = Database.Commands,
            ["Messaging__Url"] = Broker.ToString(),
            ["Messaging__Exchange"] = Exchange,
            ["PublicUrls__Queries"] = Queries.Url.ToString(),
            ["Projector__Urls__0"] = Projector.Url.ToString(),
            ["Queries__Urls__0"] = Queries.Url.ToString(),
            ["Cors__Origins__0"] = OriginOf(Queries),
            ["Webhooks__Key"] = TestKeys.Webhooks,
            ["Webhooks__PrivateNetworks__0"] = "127.0.0.0/8",
            ["Webhooks__FirstPause"] = "00:00:00.500",
        };
        TestKeys.AddTo(environment);
        return new ShopProcess(ShopPrograms.Commands, name, environment);
    }

    private ShopProcess NewProjector(string name)
    {
        var environment = new Dictionary<string, string>
        {
            ["ConnectionStrings__Read"] = Database.Projector,
            ["ConnectionStrings__Redis"] = servers.Redis,
            ["Caching__Prefix"] = CachePrefix,
            ["Messaging__Url"] = Broker.ToString(),
            ["Messaging__Exchange"] = Exchange,
            ["Messaging__Queue"] = ProjectorQueue,
            ["EventLog__ApiKey"] = TestKeys.Events,
        };
        TestKeys.AddTo(environment);
        return new ShopProcess(ShopPrograms.Projector, name, environment);
    }

    private ShopProcess NewQueries(string name)
    {
        var environment = new Dictionary<string, string>
        {
            ["ConnectionStrings__Read"] = Database.Queries,
            ["ConnectionStrings__Redis"] = servers.Redis,
            ["Caching__Prefix"] = CachePrefix,
            ["Reading__CursorKey"] = TestKeys.Cursors,
            // The first change of a process that has just started may take longer than a query usually waits. Less than
            // a request may take, so that a query without its change still ends with consistency.not_reached.
            ["Consistency__WaitMilliseconds"] = "12000",
        };
        TestKeys.AddTo(environment);
        return new ShopProcess(ShopPrograms.Queries, name, environment);
    }
}
