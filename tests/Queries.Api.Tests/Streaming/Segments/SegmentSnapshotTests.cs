using System.Collections.Concurrent;
using System.Text;
using System.Text.Json;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Streaming.Segments;

/// <summary>
/// Two writers move amounts between documents of different segments, create and delete them, as the projector does: in
/// one transaction with the versions. A reader gets one consistent state of the database, not older than its request.
/// </summary>
public sealed class SegmentSnapshotTests(SegmentSnapshotTests.Shop shop) : IClassFixture<SegmentSnapshotTests.Shop>
{
    private const int Each = 100;
    private const int Batches = 120;

    // What the transactions write, under the projector's lock, and what is known to be committed.
    private readonly ConcurrentDictionary<int, (long Number, int Amount)> written = new();
    private readonly ConcurrentDictionary<int, (long Number, int Amount)> committed = new();
    private long last;

    public sealed class Shop : ReadShop
    {
        public static IReadOnlyList<int> Ids { get; } = [.. Enumerable.Range(1, 1200), .. Enumerable.Range(7000, 10)];

        protected override Task SeedAsync() => PutAsync("reviews", Ids, id => Body(id, 0, Each));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task A_reader_never_gets_half_a_commit_nor_anything_older_than_its_request(int seed)
    {
        await shop.EmptyAsync("reviews");
        await shop.PutAsync("reviews", Shop.Ids, id => Body(id, 0, Each));
        foreach (var id in Shop.Ids) written[id] = committed[id] = (0, Each);
        using var stop = new CancellationTokenSource();
        var readers = SegmentShop.MediaTypes.Concat(SegmentShop.MediaTypes).Select(type => ReadAsync(type, stop.Token))
            .ToList();
        await Task.WhenAll(WriteAsync(new Random(seed)), WriteAsync(new Random(seed + 1000)));
        await stop.CancelAsync();
        (await Task.WhenAll(readers)).ShouldAllBe(reads => reads > 0);
    }

    private async Task WriteAsync(Random random)
    {
        await using var connection = new NpgsqlConnection(shop.Database.Projector);
        await connection.OpenAsync();
        for (var batch = 0; batch < Batches; batch++) await WriteBatchAsync(connection, random);
    }

    private async Task WriteBatchAsync(NpgsqlConnection connection, Random random)
    {
        await using var transaction = await connection.BeginTransactionAsync();
        // As the projector: one transaction at a time.
        await ExecuteAsync(connection, "SELECT 1 FROM read.projection_state FOR UPDATE");
        var changes = Moves(random);
        var number = Interlocked.Increment(ref last);
        await ExecuteAsync(
            connection,
            """
            INSERT INTO read.reviews (id, version, revision, is_deleted, body)
            SELECT id, $3, $3, body IS NULL, body FROM unnest($1, $2) AS given (id, body)
            ON CONFLICT (id) DO UPDATE SET (version, revision, is_deleted, body) =
                (excluded.version, excluded.revision, excluded.is_deleted, excluded.body)
            """,
            changes.Select(change => change.Id).ToArray(),
            changes.Select(change => change.Amount is { } amount ? Body(change.Id, number, amount) : null).ToArray(),
            number);
        await ExecuteAsync(
            connection,
            """
            INSERT INTO read.segments AS s (kind, segment, version, document_count)
            SELECT DISTINCT 'reviews', id / 500, $2, 500 FROM unnest($1) AS given (id)
            ON CONFLICT (kind, segment) DO UPDATE SET version = greatest(s.version + 1, excluded.version)
            """,
            changes.Select(change => change.Id).ToArray(),
            number);
        foreach (var (id, amount) in changes) written[id] = (number, amount ?? -1);
        await transaction.CommitAsync();
        foreach (var (id, amount) in changes)
        {
            var done = (number, amount ?? -1);
            committed.AddOrUpdate(id, done, (_, other) => other.Number > number ? other : done);
        }
    }

    // Moves an amount to another document, which may be new, or deletes a document and moves all of its amount.
    private List<(int Id, int? Amount)> Moves(Random random)
    {
        while (true)
        {
            var from = Shop.Ids[random.Next(Shop.Ids.Count)];
            var to = random.Next(4) == 0 ? random.Next(1200, 3500) : Shop.Ids[random.Next(Shop.Ids.Count)];
            if (from == to || AmountOf(from) < 1) continue;
            var moved = random.Next(3) == 0 ? AmountOf(from) : 1;
            var rest = moved == AmountOf(from) ? (int?)null : AmountOf(from) - moved;
            return [(from, rest), (to, Math.Max(0, AmountOf(to)) + moved)];
        }
    }

    private int AmountOf(int id) => written.TryGetValue(id, out var known) ? known.Amount : -1;

    private async Task<int> ReadAsync(string mediaType, CancellationToken stop)
    {
        var reads = 0;
        for (; !stop.IsCancellationRequested; reads++)
        {
            var before = committed.ToDictionary();
            var documents = await ReadAsync(
                mediaType, await SegmentShop.BytesAsync(shop.Http, "reviews/stream", mediaType));
            documents.Sum(document => document.Amount).ShouldBe(Shop.Ids.Count * Each);
            documents.Select(document => document.Id).ShouldBe(documents.Select(document => document.Id).Order());
            var met = documents.ToDictionary(document => document.Id);
            foreach (var (id, (number, amount)) in before)
            {
                if (met.TryGetValue(id, out var one)) one.Number.ShouldBeGreaterThanOrEqualTo(number);
                else if (amount >= 0) written[id].Number.ShouldBeGreaterThan(number, $"{id} was there");
            }
        }

        return reads;
    }

    private static async Task<List<(int Id, long Number, int Amount)>> ReadAsync(string mediaType, byte[] bytes) =>
        mediaType switch
    {
        "application/x-msgpack" => [.. (await PythonMessagePack.DecodeAsync(bytes)).Select(Read)],
        "application/x-ndjson" =>
        [
            .. Encoding.UTF8.GetString(bytes).Split('\n', StringSplitOptions.RemoveEmptyEntries)
                .Select(line => Read(JsonElement.Parse(line))),
        ],
        _ => [.. JsonElement.Parse(bytes).EnumerateArray().Select(Read)],
    };

    private static (int Id, long Number, int Amount) Read(JsonElement document) => (
        document.GetProperty("id").GetInt32(), document.GetProperty("number").GetInt64(), document.GetProperty("amount")
            .GetInt32());

    private static byte[] Body(int id, long number, int amount) =>
        Encoding.UTF8.GetBytes($"{{\"id\":{id},\"number\":{number},\"amount\":{amount}}}");

    private static async Task ExecuteAsync(NpgsqlConnection connection, string sql, params object[] values)
    {
        await using var command = new NpgsqlCommand(sql, connection);
        foreach (var value in values) command.Parameters.Add(new NpgsqlParameter { Value = value });
        await command.ExecuteNonQueryAsync();
    }
}
