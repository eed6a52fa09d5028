using System.Collections.Concurrent;
using System.Net;
using System.Text;
using ApexShop.TestKit;

namespace ApexShop.Prove.Tests.Live;

/// <summary>A request that a proxy passes on, and the response that it may change.</summary>
internal sealed record Passed(
    HttpMethod Method, string Path, IReadOnlyDictionary<string, string> Sent, int Status, string Body);

/// <summary>
/// A reverse proxy in front of a process. A bug is a function from the request and the real response to the body that
/// the client gets, or null for the real one.
/// </summary>
internal sealed class BreakingProxy : IAsyncDisposable
{
    private static readonly string[] passedHeaders =
        ["traceparent", "Idempotency-Key", "If-Match", "Consistency-Token", "Accept", "Authorization", "Last-Event-ID"];

    private static readonly string[] returnedHeaders = ["ETag", "Consistency-Token", "Idempotency-Replayed"];

    private readonly HttpListener listener = new();
    private readonly HttpClient target;
    private readonly Func<Passed, string?> bug;
    private readonly ConcurrentBag<string> dropped = [];
    private readonly Task accepting;

    public BreakingProxy(Uri process, Func<Passed, string?> bug, params string[] withoutHeaders)
    {
        this.bug = bug;
        foreach (var header in withoutHeaders) dropped.Add(header);
        target = new HttpClient(new SocketsHttpHandler { ActivityHeadersPropagator = null })
            { BaseAddress = process, Timeout = Timeout.InfiniteTimeSpan };
        Url = new Uri($"http://127.0.0.1:{Loopback.FreePort()}");
        listener.Prefixes.Add(Url.ToString());
        listener.Start();
        accepting = AcceptAsync();
    }

    public Uri Url { get; }

    public async ValueTask DisposeAsync()
    {
        listener.Stop();
        await accepting;
        listener.Close();
        target.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true) _ = PassAsync(await listener.GetContextAsync());
        }
        catch (Exception closed) when (closed is HttpListenerException or ObjectDisposedException)
        {
            // The test is over.
        }
    }

    private async Task PassAsync(HttpListenerContext context)
    {
        try
        {
            using var request = Request(context.Request);
            using var response = await target.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
            context.Response.StatusCode = (int)response.StatusCode;
            foreach (var (name, values) in response.Headers)
                if (returnedHeaders.Contains(name)) context.Response.Headers[name] = values.First();
            context.Response.ContentType = response.Content.Headers.ContentType?.ToString();
            if (context.Request.RawUrl!.StartsWith("/events", StringComparison.Ordinal))
            {
                await response.Content.CopyToAsync(context.Response.OutputStream);
            }
            else
            {
                var body = await response.Content.ReadAsStringAsync();
                var sent = passedHeaders.Where(name => context.Request.Headers[name] is not null)
                    .ToDictionary(name => name, name => context.Request.Headers[name]!);
                var passed = new Passed(
                    request.Method, context.Request.RawUrl!, sent, (int)response.StatusCode, body);
                await context.Response.OutputStream.WriteAsync(Encoding.UTF8.GetBytes(bug(passed) ?? body));
            }

            context.Response.Close();
        }
        catch (Exception lost) when (lost is HttpRequestException or IOException or HttpListenerException
            or ObjectDisposedException or InvalidOperationException)
        {
            context.Response.Abort();
        }
    }

    private HttpRequestMessage Request(HttpListenerRequest from)
    {
        var request = new HttpRequestMessage(new HttpMethod(from.HttpMethod), from.RawUrl);
        if (from.HasEntityBody) request.Content = new StreamContent(from.InputStream);
        request.Content?.Headers.TryAddWithoutValidation("Content-Type", from.ContentType);
        foreach (var name in passedHeaders.Except(dropped))
            if (from.Headers[name] is { } value) request.Headers.TryAddWithoutValidation(name, value);
        return request;
    }
}
