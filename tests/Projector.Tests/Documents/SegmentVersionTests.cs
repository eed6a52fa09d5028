using System.Collections.Concurrent;
using System.Data;
using ApexShop.Events;
using ApexShop.Projector.Tests.Harness;
using ApexShop.ReadModels;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Projector.Tests.Documents;

/// <summary>
/// What readers rely on who keep a segment's documents: as long as its version is the same, so are they, whatever the
/// projectors do and whenever one looks.
/// </summary>
public sealed class SegmentVersionTests(ReadStore store) : ProjectorTest(store)
{
    private const int Events = 400;

    private readonly ConcurrentDictionary<(string Kind, int Segment, long Version), string> seen = new();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task A_version_always_means_the_same_documents_while_two_projectors_write(int seed)
    {
        using var stop = new CancellationTokenSource();
        var looks = Enumerable.Range(0, 2).Select(_ => LookAsync(stop.Token)).ToList();
        AddEvents(new Random(seed));
        await using var second = new TestProjector(Store.Database.Projector, History);
        await Task.WhenAll(
            from entries in History.Entries.GroupBy(entry => entry.Resource)
            from projector in (TestProjector[])[Projector, second]
            select ApplyAsync(projector, [.. entries], new Random(seed)));
        await stop.CancelAsync();

        (await Task.WhenAll(looks)).Sum().ShouldBeGreaterThan(2);
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
    }

    [Fact]
    public async Task A_parked_event_leaves_the_versions_of_other_segments_correct()
    {
        await Projector.ApplyAsync(History.Product(10, "Pen"), History.Product(600, "Ink"));
        await LookOnceAsync();
        await using var second = new TestProjector(Store.Database.Projector, History);
        await second.ApplyAsync(
            History.Product(600, "Cap"),
            History.Product(10, "Nul \0 character"),
            History.Product(1100, "Box"),
            History.Delete(Resource.Products.Name, 600));
        await LookOnceAsync();
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.parked_events")).ShouldBe(1);
    }

    private static async Task ApplyAsync(TestProjector projector, LogEntry[] entries, Random random)
    {
        for (var start = 0; start < entries.Length;)
        {
            var length = Math.Min(random.Next(1, 12), entries.Length - start);
            await projector.ApplyAsync(entries[start..(start + length)]);
            start += length;
        }
    }

    // Ids on both sides of the ends of segments, names that others show, deletions, and segments that appear.
    private void AddEvents(Random random)
    {
        int[] ids = [0, 1, 498, 499, 500, 501, 999, 1000, 1500];
        for (var i = 0; i < Events; i++)
        {
            var id = ids[random.Next(Math.Min(ids.Length, 3 + (i / 20)))];
            var resource = Resource.Names[random.Next(Resource.Names.Count)];
            if (History.IsGone(resource, id)) continue;
            if (random.Next(25) == 0 && History.Lives(resource, id)) History.Delete(resource, id);
            else Add(resource, id, random);
        }
    }

    private LogEntry Add(string resource, int id, Random random) => resource switch
    {
        "categories" => History.Category(id, $"Category {random.Next(3)}"),
        "users" => History.User(id, "Ann", $"Lee{random.Next(3)}"),
        "products" => History.Product(
            id, $"Product {random.Next(3)}", category: random.Next(2), stock: random.Next(3)),
        "reviews" => History.Review(
            id, product: random.Next(3), user: random.Next(2), rating: 1 + random.Next(5)),
        "orders" => History.Order(id, user: random.Next(2), "Pending", (random.Next(2), 1 + random.Next(2), 1.25m)),
        _ => throw new ArgumentOutOfRangeException(nameof(resource), resource, "There is no sample of it."),
    };

    private async Task<int> LookAsync(CancellationToken stop)
    {
        var looks = 0;
        for (; !stop.IsCancellationRequested; looks++) await LookOnceAsync();
        return looks;
    }

    private async Task LookOnceAsync()
    {
        await using var connection = new NpgsqlConnection(Store.Database.Queries);
        await connection.OpenAsync();
        await using var view = await connection.BeginTransactionAsync(IsolationLevel.RepeatableRead);
        await using var command = new NpgsqlCommand(
            string.Join(" UNION ALL ", Resource.Names.Select(ContentSql)), connection);
        await using var rows = await command.ExecuteReaderAsync();
        while (await rows.ReadAsync())
        {
            rows.IsDBNull(2).ShouldBeFalse($"{rows.GetString(0)}/{rows.GetInt32(1)} has documents and no version");
            var content = rows.GetString(3);
            var before = seen.GetOrAdd((rows.GetString(0), rows.GetInt32(1), rows.GetInt64(2)), content);
            content.ShouldBe(before, $"{rows.GetString(0)}/{rows.GetInt32(1)} at version {rows.GetInt64(2)}");
        }
    }

    private static string ContentSql(string kind) =>
        $"""
        SELECT '{kind}', coalesce(s.segment, d.segment), s.version + coalesce(
            (SELECT version FROM read.segments WHERE kind = '{kind}' AND segment = {ReadTables.AllSegments}), 0),
            coalesce(d.content, '')
        FROM (SELECT * FROM read.segments WHERE kind = '{kind}' AND segment > {ReadTables.AllSegments}) s
        FULL JOIN (
            SELECT id / {ReadTables.SegmentSize} AS segment, string_agg(convert_from(body, 'UTF8'), '|'
                ORDER BY id) AS content
            FROM {ReadTables.Of(kind)} WHERE NOT is_deleted GROUP BY 1) d ON d.segment = s.segment
        """;
}
