using System.Net.Http.Headers;
using ApexShop.Queries.Api.Streaming.Segments;
using ApexShop.TestKit.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Streaming.Segments;

/// <summary>
/// Collections of several segments, with gaps, a tombstone in each and the largest possible id, behind two APIs: one
/// caches segments, the other reads rows.
/// </summary>
public class SegmentShop : ReadShop
{
    public static IReadOnlyList<int> Ids { get; } =
        [.. Enumerable.Range(1, 1300), .. Enumerable.Range(5200, 120), int.MaxValue];

    public static IReadOnlyList<int> Deleted { get; } = [3, 499, 500, 1300, 5201];

    public static IReadOnlyList<string> MediaTypes { get; } =
        ["application/json", "application/x-ndjson", "application/x-msgpack"];

    /// <summary>Segments that each of the collections has.</summary>
    public static int Segments { get; } = Ids.Select(id => id / 500).Distinct().Count();

    private QueriesApp? rowWise;

    public HttpClient ByRows { get; private set; } = null!;

    internal SegmentBudget Budget => App.Services.GetRequiredService<SegmentStream>().Budget;

    public override async Task InitializeAsync()
    {
        await base.InitializeAsync();
        rowWise = new QueriesApp(Database.Queries).WithKey(0, Key, Access.Scopes.OrdersRead, Access.Scopes.UsersRead)
            .With("Streaming:SegmentMegabytes", 0);
        ByRows = rowWise.CreateClient();
        ByRows.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Key);
    }

    public override async Task DisposeAsync()
    {
        ByRows?.Dispose();
        if (rowWise is not null) await rowWise.DisposeAsync();
        await base.DisposeAsync();
    }

    /// <summary>The body of a successful response that has a Content-Length.</summary>
    public static async Task<byte[]> BytesAsync(HttpClient http, string path, string mediaType)
    {
        using var answer = await http.GetAsync(path, "Accept", mediaType);
        var bytes = await answer.Content.ReadAsByteArrayAsync();
        answer.IsSuccessStatusCode.ShouldBeTrue(
            System.Text.Encoding.UTF8.GetString(bytes.AsSpan(0, Math.Min(bytes.Length, 500))));
        return bytes;
    }

    /// <summary>The responses from segments and from rows are equal.</summary>
    public async Task<byte[]> ShouldAgreeAsync(string path, string mediaType)
    {
        var kept = await BytesAsync(Http, path, mediaType);
        var rows = await BytesAsync(ByRows, path, mediaType);
        kept.AsSpan().SequenceEqual(rows)
            .ShouldBeTrue($"{path} as {mediaType}: {kept.Length} bytes kept, {rows.Length} by rows");
        return kept;
    }

    public async Task<IReadOnlyDictionary<int, long>> VersionsAsync(string resource)
    {
        await using var source = NpgsqlDataSource.Create(Database.Projector);
        await using var command = source.CreateCommand(
            $"SELECT segment, version FROM read.segments WHERE kind = '{resource}'");
        await using var rows = await command.ExecuteReaderAsync();
        var versions = new Dictionary<int, long>();
        while (await rows.ReadAsync()) versions.Add(rows.GetInt32(0), rows.GetInt64(1));
        return versions;
    }

    /// <summary>Restores versions that were not to be raised.</summary>
    public async Task KeepVersionsAsync(string resource, IReadOnlyDictionary<int, long> versions, int[] raised)
    {
        foreach (var (segment, version) in versions.Where(one => !raised.Contains(one.Key)))
        {
            await ExecuteAsync(
                $"UPDATE read.segments SET version = $1 WHERE kind = '{resource}' AND segment = $2", version, segment);
        }
    }

    // The dates of the largest id would be out of range.
    public Task PutManyAsync(string resource, IReadOnlyCollection<int> ids) =>
        PutAsync(resource, ids, id => Documents.Body(resource, id % 100_000));

    /// <summary>Counts the segments that an API reads.</summary>
    internal static InstrumentSum CountReads(QueriesApp app) => new(app.Services, "apexshop.stream.segments_read");

    internal InstrumentSum CountReads() => CountReads(App);

    protected override async Task SeedAsync()
    {
        foreach (var resource in Documents.Resources)
        {
            await PutManyAsync(resource, Ids);
            await DeleteAsync(resource, Deleted);
        }
    }
}
