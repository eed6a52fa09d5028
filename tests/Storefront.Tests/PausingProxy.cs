using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace ApexShop.Storefront.Tests;

/// <summary>
/// A proxy between browser and shop that pauses a response after some lines, and can disconnect there.
/// </summary>
public sealed class PausingProxy : IAsyncDisposable
{
    private readonly HttpClient shop;
    private readonly WebApplication relay;
    private readonly TaskCompletionSource<bool> decision = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource paused = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly string word;
    private readonly int lines;

    private PausingProxy(HttpClient shop, string word, int lines)
    {
        (this.shop, this.word, this.lines) = (shop, word, lines);
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        relay = builder.Build();
        relay.Run(RelayAsync);
    }

    public Uri Url => new(relay.Urls.Single());

    /// <summary>Completed when a response is paused.</summary>
    public Task Paused => paused.Task;

    /// <summary>Pauses responses of addresses that contain <paramref name="word"/> after so many lines.</summary>
    public static async Task<PausingProxy> OpenAsync(HttpClient shop, string word, int lines)
    {
        var proxy = new PausingProxy(shop, word, lines);
        await proxy.relay.StartAsync();
        return proxy;
    }

    public void Resume() => decision.TrySetResult(true);

    public void Disconnect() => decision.TrySetResult(false);

    public async ValueTask DisposeAsync()
    {
        Disconnect();
        await relay.DisposeAsync();
    }

    private async Task RelayAsync(HttpContext http)
    {
        var address = $"{http.Request.Path}{http.Request.QueryString}";
        using var request = new HttpRequestMessage(HttpMethod.Get, address);
        request.Headers.TryAddWithoutValidation("Accept", http.Request.Headers.Accept.ToString());
        using var response = await shop.SendAsync(
            request, HttpCompletionOption.ResponseHeadersRead, http.RequestAborted);
        http.Response.StatusCode = (int)response.StatusCode;
        http.Response.ContentType = response.Content.Headers.ContentType?.ToString();
        var body = await response.Content.ReadAsStringAsync(http.RequestAborted);
        if (address.Contains(word, StringComparison.Ordinal)) body = await PauseAsync(http, body);
        await http.Response.WriteAsync(body, http.RequestAborted);
    }

    // Sends the first lines and returns the rest.
    private async Task<string> PauseAsync(HttpContext http, string body)
    {
        var parts = body.Split('\n');
        await http.Response.WriteAsync(
            string.Concat(parts.Take(lines).Select(part => part + '\n')), http.RequestAborted);
        await http.Response.Body.FlushAsync(http.RequestAborted);
        paused.TrySetResult();
        if (!await decision.Task) http.Abort();
        return string.Join('\n', parts.Skip(lines));
    }
}
