using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace ApexShop.Storefront.Tests;

/// <summary>A line between browser and shop that can hold an answer after some of its lines, or be cut there.</summary>
public sealed class Line : IAsyncDisposable
{
    private readonly HttpClient shop;
    private readonly WebApplication relay;
    private readonly TaskCompletionSource<bool> decision = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource held = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly string word;
    private readonly int lines;

    private Line(HttpClient shop, string word, int lines)
    {
        (this.shop, this.word, this.lines) = (shop, word, lines);
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        relay = builder.Build();
        relay.Run(RelayAsync);
    }

    public Uri Url => new(relay.Urls.Single());

    /// <summary>Set when an answer is held.</summary>
    public Task Held => held.Task;

    /// <summary>Holds answers to addresses with <paramref name="word"/> in them after so many lines.</summary>
    public static async Task<Line> OpenAsync(HttpClient shop, string word, int lines)
    {
        var line = new Line(shop, word, lines);
        await line.relay.StartAsync();
        return line;
    }

    public void LetGo() => decision.TrySetResult(true);

    public void Cut() => decision.TrySetResult(false);

    public async ValueTask DisposeAsync()
    {
        Cut();
        await relay.DisposeAsync();
    }

    private async Task RelayAsync(HttpContext http)
    {
        var address = $"{http.Request.Path}{http.Request.QueryString}";
        using var question = new HttpRequestMessage(HttpMethod.Get, address);
        question.Headers.TryAddWithoutValidation("Accept", http.Request.Headers.Accept.ToString());
        using var answer = await shop.SendAsync(question, HttpCompletionOption.ResponseHeadersRead, http.RequestAborted);
        http.Response.StatusCode = (int)answer.StatusCode;
        http.Response.ContentType = answer.Content.Headers.ContentType?.ToString();
        var body = await answer.Content.ReadAsStringAsync(http.RequestAborted);
        if (address.Contains(word, StringComparison.Ordinal)) body = await HoldAsync(http, body);
        await http.Response.WriteAsync(body, http.RequestAborted);
    }

    // Sends the first lines; the rest is what is still to be sent.
    private async Task<string> HoldAsync(HttpContext http, string body)
    {
        var parts = body.Split('\n');
        await http.Response.WriteAsync(string.Concat(parts.Take(lines).Select(part => part + '\n')), http.RequestAborted);
        await http.Response.Body.FlushAsync(http.RequestAborted);
        held.TrySetResult();
        if (!await decision.Task) http.Abort();
        return string.Join('\n', parts.Skip(lines));
    }
}
