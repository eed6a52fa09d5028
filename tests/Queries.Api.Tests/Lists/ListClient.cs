using System.Text.Json;

namespace ApexShop.Queries.Api.Tests.Lists;

/// <summary>Reads a list page by page, as a client does.</summary>
internal sealed class ListClient(HttpClient http, string resource, string query)
{
    /// <summary>What happens between two pages.</summary>
    public Func<Task> Meanwhile { get; init; } = () => Task.CompletedTask;

    public async Task<List<int>> NumberedAsync(string form, int pageSize)
    {
        var seen = new List<int>();
        for (var (page, pages) = (1, 1); page <= pages; page++)
        {
            var answer = await http.JsonAsync($"{resource}{form}?page={page}&pageSize={pageSize}{query}");
            seen.AddRange(Documents.Ids(answer.GetProperty("data")));
            pages = answer.GetProperty("totalPages").GetInt32();
            var total = answer.GetProperty("totalCount").GetInt32();
            pages.ShouldBe((total + pageSize - 1) / pageSize);
            if (page >= pages) total.ShouldBe(seen.Count);
        }

        return seen;
    }

    /// <summary>Follows nextCursor from the first page on.</summary>
    public async Task<List<int>> ForwardsAsync(int pageSize) =>
        [.. (await PagesAsync(pageSize)).SelectMany(page => page.Ids)];

    /// <summary>Follows nextCursor to the last page, then prevCursor back to the first.</summary>
    public async Task<List<int>> BackwardsAsync(int pageSize)
    {
        var last = (await PagesAsync(pageSize))[^1];
        var seen = new List<int>(last.Ids);
        for (var before = last.Previous; before is not null;)
        {
            await Meanwhile();
            var page = await PageAsync(pageSize, $"&before={before}");
            seen.InsertRange(0, page.Ids);
            before = page.Previous;
        }

        return seen;
    }

    private async Task<List<Page>> PagesAsync(int pageSize)
    {
        var pages = new List<Page> { await PageAsync(pageSize, "") };
        while (pages[^1].Next is { } after)
        {
            await Meanwhile();
            var page = await PageAsync(pageSize, $"&after={after}");
            // Everything after the last page may have been deleted meanwhile.
            if (page.Ids.Count == 0) break;
            page.Previous.ShouldNotBeNull();
            pages.Add(page);
        }

        pages[0].Previous.ShouldBeNull();
        return pages;
    }

    private async Task<Page> PageAsync(int pageSize, string place)
    {
        var answer = await http.JsonAsync($"{resource}/cursor?pageSize={pageSize}{query}{place}");
        var ids = Documents.Ids(answer.GetProperty("data"));
        ids.Count.ShouldBeLessThanOrEqualTo(pageSize);
        var next = answer.GetProperty("nextCursor").GetString();
        answer.GetProperty("hasMore").GetBoolean().ShouldBe(next is not null);
        return new Page(ids, next, answer.GetProperty("prevCursor").GetString());
    }

    private sealed record Page(IReadOnlyList<int> Ids, string? Next, string? Previous);
}
