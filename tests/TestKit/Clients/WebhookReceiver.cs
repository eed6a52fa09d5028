using System.Collections.Concurrent;
using System.Security.Cryptography;
using System.Text;
using ApexShop.Events;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace ApexShop.TestKit.Clients;

/// <summary>A delivery as its receiver has it.</summary>
public sealed record ReceivedEvent(
    LogEntry Entry, string Id, string Time, string Signature, string ContentType, byte[] Body, int Status)
{
    public string Subject => $"{Entry.Resource}/{Entry.AggregateId}";

    /// <summary>Whether one of the signatures is that of this secret, by the specification Standard Webhooks.</summary>
    public bool IsSignedWith(string secret)
    {
        var key = Convert.FromBase64String(secret["whsec_".Length..]);
        byte[] content = [.. Encoding.ASCII.GetBytes($"{Id}.{Time}."), .. Body];
        return Signature.Split(' ').Contains("v1," + Convert.ToBase64String(HMACSHA256.HashData(key, content)));
    }
}

/// <summary>A receiver on a socket of its own, which responds as a test wants.</summary>
public sealed class WebhookReceiver : IAsyncDisposable
{
    private readonly WebApplication app;
    private readonly ConcurrentQueue<ReceivedEvent> received = [];

    private int arrived;

    private WebhookReceiver(WebApplication app) => this.app = app;

    /// <summary>The status for an event; a negative one ends the connection without a response.</summary>
    public Func<LogEntry, Task<int>> Respond { get; set; } = _ => Task.FromResult(200);

    public Action<HttpResponse> SetHeaders { get; set; } = _ => { };

    public IReadOnlyList<ReceivedEvent> Received => [.. received];

    public IReadOnlyList<long> Accepted =>
        [.. received.Where(one => one.Status < 300).Select(one => one.Entry.Position)];

    /// <summary>Requests that have arrived, with or without a response.</summary>
    public int Arrived => arrived;

    public string Url => app.Urls.Single();

    public static async Task<WebhookReceiver> StartAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        var receiver = new WebhookReceiver(builder.Build());
        receiver.app.MapPost("/{**path}", receiver.TakeAsync);
        await receiver.app.StartAsync();
        return receiver;
    }

    /// <summary>Of each aggregate, no event was accepted after a later one.</summary>
    public bool IsInOrder => received.Where(one => one.Status < 300).GroupBy(one => one.Subject)
        .Select(aggregate => aggregate.Select(one => one.Entry.Position).ToList())
        .All(positions => positions.SequenceEqual(positions.Order()));

    public ValueTask DisposeAsync() => app.DisposeAsync();

    private async Task TakeAsync(HttpContext http)
    {
        using var body = new MemoryStream();
        await http.Request.Body.CopyToAsync(body);
        var entry = CloudEvents.Read(body.ToArray());
        Interlocked.Increment(ref arrived);
        var status = await Respond(entry);
        var headers = http.Request.Headers;
        received.Enqueue(new(
            entry, headers["webhook-id"]!, headers["webhook-timestamp"]!, headers["webhook-signature"]!,
            http.Request.ContentType!, body.ToArray(), status < 0 ? 999 : status));
        if (status < 0)
        {
            http.Abort();
            return;
        }

        http.Response.StatusCode = status;
        SetHeaders(http.Response);
        if (status != StatusCodes.Status204NoContent) await http.Response.WriteAsync("a text of the receiver");
    }
}
