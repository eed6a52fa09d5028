using System.Text.Json;
using ApexShop.Prove.Histories;
using static ApexShop.Prove.Resting.RestRequest;

namespace ApexShop.Prove.Resting;

/// <summary>Reads a list in the way that its path names.</summary>
internal static class ListRequest
{
    // A list that has more pages is read as far as these, so that a large shop is read in minutes too.
    private const int MostPages = 12;

    /// <summary>The list as pages with cursors, as numbered pages of both versions, and as a stream.</summary>
    public static IEnumerable<string> PathsOf(string resource, string query, int size)
    {
        var end = query.Length == 0 ? "" : $"{query}&";
        string[] paths = [$"/{resource}/cursor", $"/{resource}/v2", $"/{resource}"];
        return
        [
            .. paths.Select(path => $"{path}?{end}pageSize={size}"),
            $"/{resource}/stream?{end}limit={size * MostPages}",
        ];
    }

    /// <summary>The pages of a list; those with cursors to the end and back.</summary>
    public static Task<List<ListedPage>> PagesAsync(HttpClient client, string path, CancellationToken ct) =>
        path.Split('?')[0].Split('/')[^1] switch
        {
            "stream" => StreamAsync(client, path, ct),
            "cursor" => CursorsAsync(client, path, ct),
            _ => NumbersAsync(client, path, ct),
        };

    private static async Task<List<ListedPage>> StreamAsync(HttpClient client, string path, CancellationToken ct)
    {
        var lines = await LinesAsync(client, path, ct);
        return [new(1, [.. lines.Select(line => new ListedDocument(Id(JsonElement.Parse(line)), Hash.Of(line)))])];
    }

    private static async Task<List<ListedPage>> NumbersAsync(HttpClient client, string path, CancellationToken ct)
    {
        var pages = new List<ListedPage>();
        JsonElement page;
        do
        {
            page = await JsonAsync(client, $"{path}&page={pages.Count + 1}", ct);
            pages.Add(PageOf(page, page.GetProperty("page").GetInt32()) with
            {
                HasPrevious = Flag(page, "hasPrevious"), HasNext = Flag(page, "hasNext"),
                Total = page.GetProperty("totalCount").GetInt64(),
                TotalPages = page.GetProperty("totalPages").GetInt64(),
            });
        }
        while (pages.Count < Math.Min(MostPages, pages[^1].TotalPages ?? 0));
        return pages;
    }

    private static async Task<List<ListedPage>> CursorsAsync(HttpClient client, string path, CancellationToken ct)
    {
        var pages = new List<ListedPage>();
        var page = await ReadAsync(null, 1);
        while (Cursor("nextCursor") is { } next && pages.Count < MostPages)
            page = await ReadAsync(next, pages.Count + 1);
        for (var number = pages.Count - 1; number > 0 && Cursor("prevCursor") is { } before; number--)
            page = await ReadAsync(before, number, "before");
        return pages;

        string? Cursor(string name) => page.GetProperty(name).GetString();

        async Task<JsonElement> ReadAsync(string? cursor, int number, string parameter = "after")
        {
            var json = await PageAsync(client, path, cursor, ct, parameter);
            pages.Add(PageOf(json, number) with
            {
                HasPrevious = json.GetProperty("prevCursor").ValueKind != JsonValueKind.Null,
                HasNext = Flag(json, "hasMore"),
            });
            return json;
        }
    }

    private static ListedPage PageOf(JsonElement page, int number) =>
        new(number, [.. Data(page).Select(one => new ListedDocument(Id(one), Hash.Of(one.GetRawText())))]);

    private static bool? Flag(JsonElement page, string name) =>
        page.TryGetProperty(name, out var flag) ? flag.GetBoolean() : null;

    private static int Id(JsonElement document) => document.GetProperty("id").GetInt32();
}
