using System.Buffers;
using System.Net.Http.Json;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Events;
using ApexShop.Load.WriteSide;
using Npgsql;

namespace ApexShop.Load.Projecting;

/// <summary>The messages of a seeded shop, batched as the publisher batches a backlog.</summary>
internal sealed record RecordedLog(
    IReadOnlyList<(string Resource, byte[] Body)> Messages, IReadOnlyDictionary<string, long> Last)
{
    private const int ReadAtOnce = 5_000;

    public required string LogId { get; init; }

    public int Events { get; private init; }

    public static async Task<RecordedLog> OfSeedAsync(int scale, CancellationToken ct)
    {
        await using var shop = await BenchShop.StartAsync(ct);
        using var client = shop.Client(1);
        using var response = await client.PostAsJsonAsync(new Uri("/admin/seed", UriKind.Relative), new { scale }, ct);
        response.EnsureSuccessStatusCode();
        await response.Content.ReadAsByteArrayAsync(ct);
        await shop.DrainedAsync();
        await using var connection = await shop.Database.OpenConnectionAsync(ct);
        return Pack(await ReadAsync(connection, ct));
    }

    private static async Task<List<LogEntry>> ReadAsync(NpgsqlConnection connection, CancellationToken ct)
    {
        var (log, all) = (new LeaderConnection(connection), new List<LogEntry>());
        for (var more = true; more;)
        {
            var next = await log.ReadAsync(all.Count == 0 ? 0 : all[^1].Position, ReadAtOnce, ct);
            all.AddRange(next);
            more = next.Count > 0;
        }

        return all;
    }

    private static RecordedLog Pack(List<LogEntry> entries)
    {
        var bite = new OutboxOptions().PublisherBatch;
        var messages = entries.Chunk(bite).SelectMany(chunk => chunk.GroupBy(entry => entry.Resource))
            .SelectMany(EventMessages.Of)
            .Select(message => (message[0].Resource, Body(message)));
        var last = entries.GroupBy(entry => entry.Resource)
            .ToDictionary(stream => stream.Key, stream => stream.Last().Position);
        return new([.. messages], last) { LogId = entries[0].LogId!, Events = entries.Count };
    }

    private static byte[] Body(LogEntry[] message)
    {
        var body = new ArrayBufferWriter<byte>();
        CloudEvents.WriteBatch(body, message);
        return body.WrittenSpan.ToArray();
    }
}
