using ApexShop.Operations;
using ApexShop.Projector.Documents;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Operations;
using ApexShop.Projector.Operations.Auditing;
using ApexShop.Projector.Projecting;
using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Projector.Tests.Operations.Auditing;

/// <summary>What an audit reported.</summary>
internal sealed record Audited(IReadOnlyList<AuditDifference> Differences, AuditSummary Summary)
{
    /// <summary>Each difference as "resource/id what", of a segment as "resource/segment 3 what tables".</summary>
    public IReadOnlyList<string> Texts => [.. Differences.Select(one => one.Id is { } id
        ? $"{one.Resource}/{id} {one.What}"
        : $"{one.Resource}/segment {one.Segment} {one.What} {string.Join(' ', one.Fields)}")];
}

/// <summary>A test with a projected history, the tables it leaves, and audits of the two.</summary>
public abstract class AuditTest(ReadStore store) : ProjectorTest(store)
{
    private HttpClient http = null!;
    private NpgsqlDataSource database = null!;

    internal TableHistory Tables { get; private set; } = null!;

    internal AuditingOptions Options { get; } = new() { Named = 10_000, Patience = TimeSpan.FromSeconds(20) };

    internal Auditor Auditor { get; private set; } = null!;

    internal AuditRecord Record { get; private set; } = null!;

    public override async Task InitializeAsync()
    {
        await base.InitializeAsync();
        Tables = new TableHistory(History);
        http = new HttpClient(Tables, disposeHandler: false) { BaseAddress = new Uri("http://log/") };
        database = ReadDatabase.Create(Store.Database.Projector);
        var projections = new Projections("USD");
        var (log, writeSide) = (new EventLogClient(http), new WriteSideClient(http));
        var reader = new BucketReader(database, projections);
        var parts = new AuditParts(
            reader,
            new BucketComparer(reader, writeSide, log, projections, TimeProvider.System),
            new Repairer(database, projections, Projector.Healer, Projector.Tags),
            writeSide,
            // Progress after each bucket.
            new SteppingClock(TimeSpan.FromMinutes(1)));
        Record = new AuditRecord(database);
        Auditor = new Auditor(
            new DedicatedConnections(Store.Database.Projector), parts, Microsoft.Extensions.Options.Options.Create(
                Options), Record, NullLogger<Auditor>.Instance);
    }

    public override async Task DisposeAsync()
    {
        await database.DisposeAsync();
        http.Dispose();
        await base.DisposeAsync();
        Tables.Dispose();
    }

    internal static AuditRequest Whole { get; } = new(Repair: false, AuditPosition.First);

    internal async Task<List<AuditLine>> LinesAsync(AuditRequest request)
    {
        var lines = await Auditor.BeginAsync(request, CancellationToken.None);
        return await lines.ShouldNotBeNull().ToListAsync();
    }

    internal async Task<Audited> AuditAsync(bool repair = false)
    {
        var all = await LinesAsync(Whole with { Repair = repair });
        return new([.. all.OfType<AuditDifference>()], all[^1].ShouldBeOfType<AuditSummary>());
    }

    /// <summary>Applies everything that the history has beyond what was applied before.</summary>
    internal async Task ProjectAsync()
    {
        foreach (var resource in Resource.Names)
        {
            var checkpoint = await Store.ScalarAsync<long>(
                $"SELECT position FROM read.checkpoints WHERE resource = '{resource}'");
            var entries = History.Entries.Where(entry => entry.Resource == resource
                && entry.Position > checkpoint).ToList();
            foreach (var chunk in entries.Chunk(500)) await Projector.ApplyAsync(chunk);
        }
    }

    /// <summary>A shop with a few of everything, deleted ones among them, over several segments of products.</summary>
    internal async Task ShopAsync(int products = 30)
    {
        for (var id = 1; id <= 5; id++) History.Category(id, $"Category {id}");
        for (var id = 1; id <= 20; id++) History.User(id, $"First{id}", $"\u00c9last{id}");
        for (var n = 1; n <= products; n++)
            History.Product(ProductId(n), $"Product \"{n}\" \U0001F6CB", category: 1 + (n % 4), price: n + 0.5m);
        for (var id = 1; id <= products; id++)
        {
            History.Order(
                id,
                user: 1 + (id % 20),
                id % 3 == 0 ? "Cancelled" : "Pending",
                (ProductId(id), 1, 2.5m),
                (ProductId(1 + (id / 2)), 2, 0.1m));
            History.Review(id, product: ProductId(1 + (id % 20)), user: 1 + (id % 20), rating: 1 + (id % 5));
        }

        History.Delete(Resource.Categories.Name, 5);
        History.Delete(Resource.Users.Name, 20);
        History.Delete(Resource.Products.Name, ProductId(products));
        History.Delete(Resource.Orders.Name, 7);
        History.Delete(Resource.Reviews.Name, 9);
        await ProjectAsync();
    }

    /// <summary>Differences of several resources, in the rows and in what is derived from them.</summary>
    internal Task DamageAsync() => Store.ExecuteAsync("""
        UPDATE read.products SET price = price + 1 WHERE id IN (2, 1003);
        UPDATE read.users SET version = version + 1 WHERE id = 4;
        UPDATE read.orders SET status = 'Lost' WHERE id = 4;
        DELETE FROM read.product_ratings WHERE product_id = 1006
        """);

    // Every third lies two segments further on.
    internal static int ProductId(int n) => n % 3 == 0 ? 1000 + n : n;

    /// <summary>Every row of every table but for what counts changes: revisions and the versions of segments.</summary>
    internal Task<List<string>> EverythingAsync() =>
        LinesAsync(string.Join(" UNION ALL ", Rows("to_jsonb(t) - 'revision'")
        .Append(
            "SELECT 'segments/' || kind || '/' || segment, document_count::text FROM read.segments WHERE "
            + "document_count > 0")
        .Append(
            "SELECT 'category_segments/' || category_id || '/' || segment, product_count::text FROM "
            + "read.category_segments")
        // Those without documents have a row with zeros, or none.
        .Append("SELECT 'order_totals/' || customer_id, t::text FROM read.order_totals t WHERE orders > 0")
        .Append("SELECT 'review_totals/' || product_id, t::text FROM read.review_totals t WHERE reviews > 0")
        .Concat(
            new[] { "product_ratings", "product_changes", "product_words", "product_name_words" }
                .Select(table => $"SELECT '{table}/' || product_id, t::text FROM read.{table} t"))));

    /// <summary>Which transaction wrote each document.</summary>
    internal Task<List<string>> WritersAsync() => LinesAsync(string.Join(" UNION ALL ", Rows("xmin")));

    /// <summary>Names only what is not the same, of which there are many rows.</summary>
    internal static void Same(IEnumerable<string> now, IEnumerable<string> before)
    {
        now.Except(before).ShouldBeEmpty();
        before.Except(now).ShouldBeEmpty();
    }

    private async Task<List<string>> LinesAsync(string sql) =>
        [.. (await Store.PairsAsync(sql)).Select(pair => $"{pair.Key} {pair.Value}")];

    private static IEnumerable<string> Rows(string value) =>
        Resource.Names.Select(kind => $"SELECT '{kind}/' || id, ({value})::text FROM read.{kind} t");
}
