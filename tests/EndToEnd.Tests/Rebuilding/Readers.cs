using System.Collections.Concurrent;
using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.TestKit;

namespace ApexShop.EndToEnd.Tests.Rebuilding;

/// <summary>Readers of every kind; every unexpected response is a fault.</summary>
internal sealed class Readers(Shop shop)
{
    private static readonly string[] streams =
        ["/products/stream", "/orders/stream", "/products/stream?sort=-price", "/reviews/export/ndjson"];

    private readonly HttpClient http = shop.Queries.Http;
    private int responses;
    private int expired;

    public int Responses => Volatile.Read(ref responses);

    /// <summary>Cursors of an earlier epoch, which are not faults.</summary>
    public int Expired => Volatile.Read(ref expired);

    public ConcurrentQueue<string> Faults { get; } = new();

    public Task RunAsync(CancellationToken ct) => Task.WhenAll(
        LoopAsync(WalkAsync, ct), LoopAsync(PagesAsync, ct), LoopAsync(DocumentsAsync, ct), LoopAsync(StreamsAsync, ct),
        LoopAsync(FreshAsync, ct));

    private async Task LoopAsync(Func<CancellationToken, Task> read, CancellationToken ct)
    {
        while (!ct.IsCancellationRequested)
        {
            try
            {
                await read(ct);
                // Below the rate that one key may have.
                await Task.Delay(10, CancellationToken.None);
            }
            catch (Exception failed) when (ShopProcess.IsDisconnect(failed) || failed is TaskCanceledException)
            {
                Faults.Enqueue(failed.Message);
            }
        }
    }

    // From page to page by cursor, and from the first page after a rebuild.
    private async Task WalkAsync(CancellationToken ct)
    {
        for (var next = "/products/cursor?pageSize=50"; next is not null && !ct.IsCancellationRequested;)
        {
            using var response = await http.GetAsync(next, CancellationToken.None);
            if (response.StatusCode == HttpStatusCode.Gone)
            {
                Interlocked.Increment(ref expired);
                return;
            }

            next = (string?)(await JsonAsync(response))?["nextCursor"] is { } cursor
                ? $"/products/cursor?pageSize=50&after={Uri.EscapeDataString(cursor)}"
                : null;
        }
    }

    private async Task PagesAsync(CancellationToken ct)
    {
        foreach (var path in (string[])[
            "/products/v2?page=2&pageSize=20", "/orders/v2", "/products?q=lamp", "/reviews/cursor", "/categories/v2",
        ])
        {
            using var response = await http.GetAsync(path, CancellationToken.None);
            await JsonAsync(response);
        }
    }

    private async Task DocumentsAsync(CancellationToken ct)
    {
        foreach (var path in (string[])["/categories/1", "/users/1", "/products/1"])
        {
            using var response = await http.GetAsync(path, CancellationToken.None);
            // Writers may delete it.
            if (response.StatusCode != HttpStatusCode.NotFound) await JsonAsync(response);
        }
    }

    private async Task StreamsAsync(CancellationToken ct)
    {
        foreach (var path in streams)
        {
            using var response =
                await http.GetAsync(path, HttpCompletionOption.ResponseHeadersRead, CancellationToken.None);
            // Five exports a minute are allowed.
            if (response.StatusCode == HttpStatusCode.TooManyRequests) continue;
            var text = await response.Content.ReadAsStringAsync(CancellationToken.None);
            if (response.StatusCode != HttpStatusCode.OK || text.Contains("\"error\"", StringComparison.Ordinal))
                Faults.Enqueue($"{path}: {response.StatusCode} {text[..Math.Min(200, text.Length)]}");
            else Interlocked.Increment(ref responses);
        }
    }

    // A client reads its own writes, also when the tables are switched in between.
    private async Task FreshAsync(CancellationToken ct)
    {
        var (first, second) = ($"Fresh {Guid.NewGuid():N}", $"Renamed {Guid.NewGuid():N}");
        using var created = await shop.Commands.Http.PostAsJsonAsync(
            "/categories", Bodies.Category(first), CancellationToken.None);
        var path = $"/categories/{(int)(await JsonAsync(created))!["id"]!}";
        await ShowsAsync(path, first, created);
        using var replaced = await shop.Commands.Http.PutAsJsonAsync(
            path, Bodies.Category(second), CancellationToken.None);
        await ShowsAsync(path, second, replaced);
    }

    private async Task ShowsAsync(string path, string name, HttpResponseMessage written)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        request.Headers.Add("Consistency-Token", written.Headers.GetValues("Consistency-Token"));
        using var response = await http.SendAsync(request, CancellationToken.None);
        var shown = (string?)(await JsonAsync(response))?["name"];
        if (response.IsSuccessStatusCode && shown != name) Faults.Enqueue($"{path}: {shown} and not {name}");
    }

    private async Task<JsonNode?> JsonAsync(HttpResponseMessage response)
    {
        var text = await response.Content.ReadAsStringAsync();
        if (response.IsSuccessStatusCode) Interlocked.Increment(ref responses);
        else Faults.Enqueue($"{response.RequestMessage!.RequestUri}: {(int)response.StatusCode} {text}");
        return response.IsSuccessStatusCode ? JsonNode.Parse(text) : null;
    }
}
