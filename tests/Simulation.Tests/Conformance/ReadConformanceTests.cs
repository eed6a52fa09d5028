using System.Text.Json;
using ApexShop.Events;
using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Projecting;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using ApexShop.Simulation.Tests.Planted;
using ApexShop.Simulation.Tests.Reading;
using ApexShop.Simulation.Tests.Scheduling;
using ApexShop.TestKit;
using Microsoft.Extensions.Options;
using Npgsql;
using ReadSchema = ApexShop.Projector.Documents.ReadSchema;

namespace ApexShop.Simulation.Tests.Conformance;

/// <summary>Transactions of a Projector and reads, in the model and in PostgreSQL, have the same results.</summary>
public sealed class ReadConformanceTests : IAsyncLifetime
{
    private const int Operations = 60;

    private static readonly Projections projections = new("USD");
    private static readonly DateTimeOffset created = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private readonly List<LogEntry> log = [];
    private TestDatabase database = null!;
    private NpgsqlDataSource connections = null!;

    public async Task InitializeAsync()
    {
        database = await TestDatabase.CreateAsync(
            "read", read => ReadSchema.MigrateAsync(read.Projector, CancellationToken.None));
        connections = Projector.Documents.ReadDatabase.Create(database.Projector);
    }

    public async Task DisposeAsync()
    {
        await connections.DisposeAsync();
        await database.DisposeAsync();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task The_model_of_schema_read_replies_as_PostgreSQL(int seed)
    {
        var (run, random) = (new ModelRun(seed), new SeededRandom(seed));
        var model = new ReadServer(run.Scheduler.World.Clock);
        var store = new ProjectorStore(run.Process, model, run.Network, new Bugs());
        var modelled = new Sides(
            store, store, store, new QueriesStore(run.Process, model, run.Network, new Pages(model)));
        var reading = Options.Create(new ReadingOptions { ConnectionString = database.Queries });
        await using var pending = new PendingState(reading);
        var real = new Sides(
            new ProjectionStore(connections, projections),
            new Checkpoints(connections),
            new RaisedTags(connections),
            new RepeatedState(pending),
            new VersionReader(connections));
        for (var i = 0; i < Operations; i++)
        {
            var operation = Next(random);
            var expected = await operation(real);
            run.Run(() => operation(modelled)).ShouldBe(expected, $"operation {i} of seed {seed}");
        }

        log.Count.ShouldBeGreaterThan(Operations / 3);
    }

    private Func<Sides, Task<string>> Next(SeededRandom random)
    {
        switch (random.Next(10))
        {
            case < 6:
                // A message that repeats some events, follows, or is applied over a hole.
                for (var count = 1 + random.Next(3); count > 0; count--) Append(random);
                var last = log[^1];
                var ofResource = log.Where(entry => entry.Resource == last.Resource);
                var entries = ofResource.TakeLast(1 + random.Next(4)).ToArray();
                var isCommitted = random.Next(6) > 0;
                return sides => ApplyAsync(sides, entries, isCommitted);
            case < 8: return sides => ClearAsync(sides);
            default: return ReadAsync;
        }
    }

    private static async Task<string> ApplyAsync(Sides sides, LogEntry[] entries, bool isCommitted)
    {
        var batch = EventBatch.FromLog(entries, after: 0);
        batch.Decode(projections[batch.Resource]);
        var text = await sides.Store.InTransactionAsync(
            async transaction =>
            {
                var state = await transaction.LockAsync([batch], CancellationToken.None);
                var run = batch.Following(state.Checkpoint(batch.Resource));
                var invalidations = new Invalidations();
                var latest = run.Select(decoded => decoded.Change!).GroupBy(change => change.State.Id)
                    .Select(changes => changes.Last()).ToList();
                if (run.Count > 0)
                    await transaction.ApplyAsync(batch.Resource, latest, invalidations, CancellationToken.None);
                var tags = string.Join(' ', Products(invalidations.Tags));
                if (!isCommitted || run.Count == 0) return $"{tags} not committed";
                var reached = new Dictionary<string, LogEntry> { [batch.Resource] = run[^1].Entry };
                var stored = await transaction.CommitAsync(
                    reached, state.Pending.With(invalidations.Tags), CancellationToken.None);
                return $"{tags} of {string.Join(' ', Products(stored.Tags))}";
            },
            CancellationToken.None);
        return $"{text} then {await ReadAsync(sides)}";
    }

    // What the process has raised before it clears; another commit may follow.
    private static async Task<string> ClearAsync(Sides sides)
    {
        if (await sides.Tags.PendingAsync(CancellationToken.None) is not { } stored) return "nothing is pending";
        await sides.Tags.ClearAsync(stored, CancellationToken.None);
        return await ReadAsync(sides);
    }

    private static async Task<string> ReadAsync(Sides sides)
    {
        var (products, ids) = (ReadModel.Of(Resources.Resource.Products), (int[])[1, 2, 3]);
        var versions = await sides.Versions.ReadAsync(products, ids, CancellationToken.None);
        var pending = await sides.Pending.ReadAsync();
        var stored = await sides.Tags.PendingAsync(CancellationToken.None);
        return $"""
            products {await sides.Checkpoints.PositionAsync("products", CancellationToken.None)},
            categories {await sides.Checkpoints.PositionAsync("categories", CancellationToken.None)},
            highest {await sides.Checkpoints.HighestAsync(CancellationToken.None)},
            versions {string.Join(' ', versions.OrderBy(one => one.Key).Select(one => $"{one.Key}={one.Value}"))},
            pending {pending.IsPending} {pending.Since is not null} {string.Join(' ', Products(stored?.Tags ?? []))}
            """;
    }

    // A category's document also shows how many products it has, which the model has not.
    private static IEnumerable<string> Products(IEnumerable<string> tags) =>
        tags.Where(tag => tag.Contains("products", StringComparison.Ordinal)).Order(StringComparer.Ordinal);

    private void Append(SeededRandom random)
    {
        var isCategory = random.Next(4) == 0;
        var (resource, id) = isCategory ? ("categories", 1 + random.Next(2)) : ("products", 1 + random.Next(3));
        var before = log.FindLast(entry => entry.Resource == resource && entry.AggregateId == id);
        var version = log.Count(entry => entry.Resource == resource && entry.AggregateId == id) + 1;
        var isDeleted = !isCategory && before is not null && random.Next(10) == 0;
        var (type, state) = (isCategory, isDeleted) switch
        {
            (true, _) => (EventTypes.CategoryUpdated,
                (IAggregateState)new CategoryState(id, $"C{version}", null, true, created, version)),
            (_, true) => (EventTypes.ProductDeleted, new DeletedState(id, version)),
            _ => (EventTypes.ProductUpdated, new ProductState(
                id, $"P{version}", null, 1, 1, true, false, 1 + random.Next(2), created, null, version, null, null,
                [])),
        };
        var data = JsonSerializer.SerializeToUtf8Bytes(state, state.GetType(), EventJson.Wire);
        var previous = log.FindLast(entry => entry.Resource == resource)?.Position ?? 0;
        var (position, eventId) = (log.Count + 1, new Guid(log.Count + 1, 0, 7, new byte[8]));
        log.Add(new(position, previous, eventId, type, resource, id, created, null, data));
    }

    /// <summary>The read schema as each process uses it.</summary>
    private sealed record Sides(
        IProjectionStore Store,
        ICheckpoints Checkpoints,
        IRaisedTags Tags,
        IPendingState Pending,
        IVersionReader Versions)
    {
        public Sides(IProjectionStore store, ICheckpoints checkpoints, IRaisedTags tags, QueriesStore queries)
            : this(store, checkpoints, tags, queries, queries)
        {
        }
    }

    /// <summary>A read has two seconds, in which this machine may pause.</summary>
    private sealed class RepeatedState(IPendingState state) : IPendingState
    {
        public async Task<PendingChanges> ReadAsync()
        {
            for (var attempt = 1; ; attempt++)
            {
                try
                {
                    return await state.ReadAsync();
                }
                catch (OperationCanceledException) when (attempt < 5)
                {
                    // It changes nothing.
                }
            }
        }
    }
}
