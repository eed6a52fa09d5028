using System.Buffers;
using System.Diagnostics.Metrics;
using ApexShop.Caching;
using ApexShop.Events;
using ApexShop.Operations;
using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Documents;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Intake;
using ApexShop.Projector.Operations;
using ApexShop.Projector.Operations.Parking;
using ApexShop.Projector.Operations.Rebuilding;
using ApexShop.Projector.Projecting;
using ApexShop.Telemetry;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Projector.Tests.Harness;

/// <summary>The Projector without its broker: events go straight into the applier.</summary>
internal sealed class TestProjector : IAsyncDisposable
{
    private readonly ServiceProvider services = new ServiceCollection().AddMetrics().BuildServiceProvider();
    private readonly NpgsqlDataSource database;
    private readonly RedisConnection redis;
    private readonly HttpClient http;

    public TestProjector(
        string connectionString,
        EventHistory history,
        string? redisConfiguration = null,
        ILoggerFactory? logs = null,
        TimeSpan? redisLimit = null,
        string currency = "USD",
        int mostAtOnce = 500,
        TimeProvider? clockOfNames = null)
    {
        logs ??= NullLoggerFactory.Instance;
        database = ReadDatabase.Create(connectionString);
        redis = new RedisConnection(redisConfiguration ?? Servers.Redis);
        http = new HttpClient(history, disposeHandler: false) { BaseAddress = new Uri("http://log/") };
        var log = new EventLogClient(http);
        // A machine that runs other tests besides may take long to connect; a test of the limit shortens it.
        var generations = new TagGenerations(
            redis, new CacheNames(), TimeProvider.System, logs.CreateLogger<TagGenerations>())
        {
            Limit = redisLimit ?? TimeSpan.FromSeconds(10),
        };
        Generations = generations;
        Tags = new TagRaiser(
            new RaisedTags(database), generations, TimeProvider.System, logs.CreateLogger<TagRaiser>());
        var metrics = new ProjectorMetrics(services.GetRequiredService<IMeterFactory>(), TimeProvider.System);
        var projections = new Projections(currency) { MostAtOnce = mostAtOnce };
        var store = new ProjectionStore(database, projections);
        var transaction = new BatchTransaction(
            store, projections, Tags, metrics, Foreign, logs.CreateLogger<BatchTransaction>());
        var holes = new HoleFiller(transaction, log, metrics, logs.CreateLogger<HoleFiller>());
        Applier = new BatchApplier(transaction, holes, metrics);
        Deliveries = new TestDeliveries(Applier, logs.CreateLogger<DeliveryQueue>());
        Healer = new AggregateHealer(database, log, projections, Tags, logs.CreateLogger<AggregateHealer>());
        Parked = new ParkedAggregates(database, projections, logs.CreateLogger<ParkedAggregates>());
        Replayer = new ParkedReplayer(database, projections, Tags, metrics, logs.CreateLogger<ParkedReplayer>());
        Letters = new DeadLetters(database);
        LetterReplayer = new DeadLetterReplayer(
            database, Letters, Applier, projections, logs.CreateLogger<DeadLetterReplayer>());
        Waiting = new ParkedGauges(
            database,
            Meters,
            Options.Create(new TelemetryOptions()),
            TimeProvider.System,
            logs.CreateLogger<ParkedGauges>());
        var checkpoints = new Checkpoints(database);
        var logApplier = new LogApplier(checkpoints, log, Applier, logs.CreateLogger<LogApplier>());
        Stalls = new StallWatch(
            checkpoints,
            log,
            logApplier,
            () => HasDeliveries,
            TimeProvider.System,
            logs.CreateLogger<StallWatch>());
        Watch = new LogWatch(
            checkpoints,
            log,
            logApplier,
            _ => Task.FromResult(HasQueuedMessages),
            TimeProvider.System,
            logs.CreateLogger<LogWatch>());
        Names = new NameRefresher(
            database,
            projections,
            Tags,
            clockOfNames ?? TimeProvider.System,
            logs.CreateLogger<NameRefresher>());
        var sessions = new DedicatedConnections(connectionString);
        Record = new RebuildRecord(database);
        var exchanged = new ExchangeHealer(database, Tags, Healer, logs.CreateLogger<ExchangeHealer>());
        Rebuilder = new Rebuilder(
            sessions,
            database,
            Record,
            log,
            projections,
            exchanged,
            Options.Create(Rebuilding),
            TimeProvider.System,
            logs.CreateLogger<Rebuilder>());
        Previous = new PreviousTables(
            sessions,
            Record,
            log,
            projections,
            exchanged,
            Watch,
            TimeProvider.System,
            logs.CreateLogger<PreviousTables>());
        Continuity = new LogContinuity(database, log);
        Currency = new CurrencyCheck(
            database, projections, Rebuilder, Record, Options.Create(Rebuilding), logs.CreateLogger<CurrencyCheck>());
        Restores = new RestoreWatch(
            Continuity,
            Rebuilder,
            Currency,
            Foreign,
            Watch,
            Options.Create(Rebuilding),
            TimeProvider.System,
            logs.CreateLogger<RestoreWatch>());
    }

    public IMeterFactory Meters => services.GetRequiredService<IMeterFactory>();

    public RebuildingOptions Rebuilding { get; } = new() { SwitchSeconds = 20 };

    public ForeignLogs Foreign { get; } = new();

    public CurrencyCheck Currency { get; }

    public RebuildRecord Record { get; }

    public Rebuilder Rebuilder { get; }

    public PreviousTables Previous { get; }

    public LogContinuity Continuity { get; }

    public RestoreWatch Restores { get; }

    public TagGenerations Generations { get; }

    public TagRaiser Tags { get; }

    public BatchApplier Applier { get; }

    public NameRefresher Names { get; }

    public TestDeliveries Deliveries { get; }

    public LogWatch Watch { get; }

    public StallWatch Stalls { get; }

    /// <summary>Whether messages were delivered and are not applied.</summary>
    public bool HasDeliveries { get; set; }

    /// <summary>What the broker says of the Projector's queue.</summary>
    public bool HasQueuedMessages { get; set; }

    public AggregateHealer Healer { get; }

    public ParkedAggregates Parked { get; }

    public ParkedReplayer Replayer { get; }

    public DeadLetters Letters { get; }

    public DeadLetterReplayer LetterReplayer { get; }

    public ParkedGauges Waiting { get; }

    /// <summary>Delivers the entries as one message; the task ends with its acknowledgement.</summary>
    public Task DeliverAsync(params IEnumerable<LogEntry> entries) => Deliveries.AddAsync(entries);

    /// <summary>Applies the entries as one message.</summary>
    public Task ApplyAsync(params IEnumerable<LogEntry> entries) =>
        Applier.ApplyAsync(EventBatch.FromMessage(Message(entries)), CancellationToken.None);

    /// <summary>Applies each entry as a message of its own.</summary>
    public async Task ApplyEachAsync(IEnumerable<LogEntry> entries)
    {
        foreach (var entry in entries) await ApplyAsync(entry);
    }

    /// <summary>Writes all documents that show a pending name.</summary>
    public async Task RefreshNamesAsync()
    {
        while (await Names.RefreshNextAsync(CancellationToken.None))
        {
        }
    }

    /// <summary>Rebuilds the documents and returns the status that is reported.</summary>
    public async Task<RebuildStatus> RebuildAsync(CancellationToken ct = default)
    {
        (await Rebuilder.BeginAsync("A test.", null, ct)).ShouldNotBeNull("another rebuild runs");
        await Rebuilder.RunNextAsync(ct);
        return await Record.ReadAsync(CancellationToken.None);
    }

    public static byte[] Message(IEnumerable<LogEntry> entries)
    {
        var body = new ArrayBufferWriter<byte>();
        CloudEvents.WriteBatch(body, entries);
        return body.WrittenSpan.ToArray();
    }

    public async ValueTask DisposeAsync()
    {
        await Deliveries.DisposeAsync();
        Tags.Dispose();
        Watch.Dispose();
        Names.Dispose();
        Rebuilder.Dispose();
        Restores.Dispose();
        Waiting.Dispose();
        http.Dispose();
        await redis.DisposeAsync();
        await database.DisposeAsync();
        await services.DisposeAsync();
    }
}
