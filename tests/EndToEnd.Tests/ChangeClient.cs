using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.TestKit;

namespace ApexShop.EndToEnd.Tests;

/// <summary>A client that copies one resource by following GET /R/changes.</summary>
internal sealed class ChangeClient(Shop shop, string resource)
{
    private string? cursor;

    /// <summary>The documents as the client has them.</summary>
    public Dictionary<int, string> Documents { get; } = [];

    /// <summary>How often it had to begin again.</summary>
    public int Restarts { get; private set; }

    /// <summary>Reads one response and returns whether there are more changes.</summary>
    public async Task<bool> ReadAsync(int limit)
    {
        var after = cursor is null ? "" : $"&after={Uri.EscapeDataString(cursor)}";
        using var response = await shop.Queries.Http.GetAsync($"/{resource}/changes?pageSize={limit}{after}");
        if (response.StatusCode == HttpStatusCode.Gone)
        {
            response.Headers.GetValues("Link").Single()
                .ShouldBe($"</{resource}/changes?pageSize={limit}>; rel=\"first\"");
            Documents.Clear();
            (cursor, Restarts) = (null, Restarts + 1);
            return true;
        }

        response.StatusCode.ShouldBe(HttpStatusCode.OK, await response.Content.ReadAsStringAsync());
        var page = (await response.Content.ReadFromJsonAsync<JsonNode>())!;
        foreach (var change in page["data"]!.AsArray())
        {
            var id = (int)change!["id"]!;
            if ((string)change["change"]! == "deleted") Documents.Remove(id);
            else Documents[id] = change["document"]!.ToJsonString();
        }

        cursor = (string)page["nextCursor"]!;
        return (bool)page["hasMore"]!;
    }

    /// <summary>Reads until there are no more changes.</summary>
    public async Task ReadAllAsync()
    {
        while (await ReadAsync(100))
        {
            // The next response continues after this one.
        }
    }

    public async Task FollowAsync(Random random, CancellationToken ct)
    {
        while (!ct.IsCancellationRequested)
        {
            await ReadAsync(random.Next(1, 20));
            await Task.Delay(random.Next(10, 40), CancellationToken.None);
        }
    }
}
