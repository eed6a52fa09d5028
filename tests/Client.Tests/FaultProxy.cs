using System.Collections.Concurrent;
using System.Net;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace ApexShop.Client.Tests;

/// <summary>A request that came to the proxy, and when.</summary>
public sealed record SeenRequest(string Method, string Path, string? Key, string? Token, TimeSpan Time);

/// <summary>A proxy before one API: it records requests, and has the faults of a test for the next ones.</summary>
public sealed class FaultProxy : IAsyncDisposable
{
    private static readonly HashSet<string> ofConnection = ["Transfer-Encoding", "Connection", "Host"];

    private readonly HttpClient api;
    private readonly WebApplication relay;
    private readonly ConcurrentQueue<Func<HttpContext, Task>> faults = [];
    private readonly long began = TimeProvider.System.GetTimestamp();

    private FaultProxy(ShopProcess process)
    {
        api = new HttpClient { BaseAddress = process.Url };
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        relay = builder.Build();
        relay.Run(RelayAsync);
    }

    public Uri Url => new(relay.Urls.Single());

    public ConcurrentQueue<SeenRequest> Seen { get; } = [];

    public static async Task<FaultProxy> OpenAsync(ShopProcess process)
    {
        var proxy = new FaultProxy(process);
        await proxy.relay.StartAsync();
        return proxy;
    }

    /// <summary>The next request has no fault.</summary>
    public void Pass() => faults.Enqueue(ForwardAsync);

    /// <summary>The next request is executed, and its connection is closed without a response.</summary>
    public void Cut() => faults.Enqueue(async http =>
    {
        using var executed = await SendAsync(http);
        executed.IsSuccessStatusCode.ShouldBeTrue();
        http.Abort();
    });

    /// <summary>The next request is refused, and not executed.</summary>
    public void Refuse(int status, string? retryAfter = null, string? problem = null) => faults.Enqueue(async http =>
    {
        http.Response.StatusCode = status;
        if (retryAfter is not null) http.Response.Headers.RetryAfter = retryAfter;
        if (problem is not null) http.Response.ContentType = "application/problem+json";
        await http.Response.WriteAsync(problem ?? "Not now.");
    });

    /// <summary>The next request gets these lines, and is not executed.</summary>
    public void Respond(params string[] lines) => faults.Enqueue(async http =>
    {
        http.Response.ContentType = "application/x-ndjson";
        foreach (var line in lines) await http.Response.WriteAsync(line + '\n');
    });

    /// <summary>The next request is executed, and its response ends after the first line, without an error.</summary>
    public void EndAfterFirstLine() => faults.Enqueue(async http =>
    {
        http.Request.Headers.AcceptEncoding = "";
        using var response = await SendAsync(http);
        http.Response.ContentType = response.Content.Headers.ContentType?.ToString();
        using var body = new StreamReader(await response.Content.ReadAsStreamAsync());
        await http.Response.WriteAsync(await body.ReadLineAsync() + '\n');
    });

    /// <summary>The next request is executed, and its response lacks the last characters, without an error.</summary>
    public void Shorten(int characters) => faults.Enqueue(async http =>
    {
        http.Request.Headers.AcceptEncoding = "";
        using var response = await SendAsync(http);
        http.Response.ContentType = response.Content.Headers.ContentType?.ToString();
        await http.Response.WriteAsync((await response.Content.ReadAsStringAsync())[..^characters]);
    });

    /// <summary>The next request is sent to another address, with the status 302.</summary>
    public void Redirect(Uri address) => faults.Enqueue(http =>
    {
        http.Response.Redirect(address.ToString());
        return Task.CompletedTask;
    });

    /// <summary>The next request gets no response as long as its client waits.</summary>
    public void Ignore() => faults.Enqueue(async http =>
    {
        var gone = new TaskCompletionSource();
        await using var registration = http.RequestAborted.Register(gone.SetResult);
        await gone.Task;
    });

    /// <summary>The next request is executed after this time.</summary>
    public void Delay(TimeSpan time) => faults.Enqueue(async http =>
    {
        await Task.Delay(time, http.RequestAborted);
        await ForwardAsync(http);
    });

    /// <summary>The next response stops after a number of lines until <paramref name="go"/> ends.</summary>
    public void Pause(int lines, Task go) => faults.Enqueue(async http =>
    {
        http.Request.Headers.AcceptEncoding = "";
        using var response = await SendAsync(http);
        http.Response.ContentType = response.Content.Headers.ContentType?.ToString();
        using var body = new StreamReader(await response.Content.ReadAsStreamAsync());
        for (var line = 0; await body.ReadLineAsync() is { } text; line++)
        {
            if (line == lines) await go;
            await http.Response.WriteAsync(text + '\n');
            if (line == lines - 1) await http.Response.Body.FlushAsync();
        }
    });

    public async ValueTask DisposeAsync()
    {
        await relay.DisposeAsync();
        api.Dispose();
    }

    private async Task RelayAsync(HttpContext http)
    {
        var (request, headers) = (http.Request, http.Request.Headers);
        Seen.Enqueue(new(
            request.Method, $"{request.Path}{request.QueryString}", headers["Idempotency-Key"],
            headers["Consistency-Token"], TimeProvider.System.GetElapsedTime(began)));
        await (faults.TryDequeue(out var fault) ? fault(http) : ForwardAsync(http));
    }

    private async Task ForwardAsync(HttpContext http)
    {
        using var response = await SendAsync(http);
        http.Response.StatusCode = (int)response.StatusCode;
        foreach (var (name, values) in response.Headers.Concat(response.Content.Headers))
            if (!ofConnection.Contains(name)) http.Response.Headers[name] = values.ToArray();
        await response.Content.CopyToAsync(http.Response.Body);
    }

    private async Task<HttpResponseMessage> SendAsync(HttpContext http)
    {
        var address = $"{http.Request.Path}{http.Request.QueryString}";
        using var request = new HttpRequestMessage(new HttpMethod(http.Request.Method), address)
        {
            // A body of a GET, even an empty one, would keep the client from using another connection when one ends.
            Content = http.Request.Method == "GET" ? null : new StreamContent(http.Request.Body),
        };
        foreach (var (name, values) in http.Request.Headers)
        {
            if (ofConnection.Contains(name)) continue;
            if (!request.Headers.TryAddWithoutValidation(name, (IEnumerable<string?>)values))
                request.Content?.Headers.TryAddWithoutValidation(name, (IEnumerable<string?>)values);
        }

        return await api.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, http.RequestAborted);
    }
}
