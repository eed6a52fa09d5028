using System.Net;
using System.Text.Json;
using ApexShop.Prove.Histories;
using ApexShop.Prove.Resting;

namespace ApexShop.Prove.Clients;

/// <summary>
/// Keeps a copy of a resource by GET /R/changes, as docs/queries.md describes it, while the clients write: at another
/// process after each request.
/// </summary>
internal sealed class ChangesFollower(ShopAddresses shop, string resource)
{
    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(300);
    private static readonly TimeSpan timeout = TimeSpan.FromSeconds(10);

    private readonly Dictionary<int, RestDocument> documents = [];
    private readonly HashSet<int> deleted = [];
    private HashSet<int>? again;
    private string? cursor;

    /// <summary>The copy; it is complete when a request without an interruption has returned no more changes.</summary>
    public RestView Copy => new("the copy by /changes", resource, [.. documents.Values], [.. deleted]);

    public async Task RunAsync(CancellationToken ct)
    {
        for (var turn = 0; !ct.IsCancellationRequested; turn++)
        {
            var hasMore = await RequestAsync(shop.Queries[turn % shop.Queries.Count]);
            if (hasMore != true) await Task.Delay(pause, CancellationToken.None);
        }
    }

    /// <summary>Follows until there are no more changes.</summary>
    public async Task CatchUpAsync(CancellationToken ct)
    {
        for (var turn = 0; await RequestAsync(shop.Queries[turn % shop.Queries.Count]) != false; turn++)
            await Task.Delay(pause, ct);
    }

    // Whether there are more changes; null if the request failed.
    private async Task<bool?> RequestAsync(ShopAddress address)
    {
        using var client = shop.Client(address, timeout);
        var after = cursor is null ? "" : $"&after={Uri.EscapeDataString(cursor)}";
        try
        {
            using var response = await client.GetAsync($"/{resource}/changes?pageSize=50{after}");
            var text = await response.Content.ReadAsStringAsync();
            if (response.StatusCode == HttpStatusCode.Gone) Restart();
            return response.IsSuccessStatusCode ? Apply(JsonElement.Parse(text)) : null;
        }
        catch (Exception lost) when (lost is HttpRequestException or TaskCanceledException or IOException)
        {
            return null;
        }
    }

    // The documents were made again: what is not returned any more is discarded at the end.
    private void Restart() => (cursor, again) = (null, [.. documents.Keys]);

    private bool Apply(JsonElement page)
    {
        foreach (var change in page.GetProperty("data").EnumerateArray())
        {
            var id = change.GetProperty("id").GetInt32();
            again?.Remove(id);
            if (change.GetProperty("change").ValueEquals("deleted"))
            {
                documents.Remove(id);
                deleted.Add(id);
            }
            else
            {
                documents[id] = RestReader.Document(resource, change.GetProperty("document"));
                deleted.Remove(id);
            }
        }

        cursor = page.GetProperty("nextCursor").GetString();
        var hasMore = page.GetProperty("hasMore").GetBoolean();
        if (!hasMore)
        {
            foreach (var id in again ?? []) documents.Remove(id);
            again = null;
        }

        return hasMore;
    }
}
