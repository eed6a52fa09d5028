using System.Collections.Concurrent;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace ApexShop.Commands.Api.Tests.Operations.Console;

/// <summary>Replaces another process of the shop, with responses that the test chooses.</summary>
internal sealed class FakePeer : IAsyncDisposable
{
    private readonly WebApplication app;

    private FakePeer(WebApplication app) => this.app = app;

    public string Url => app.Urls.Single();

    /// <summary>The paths and keys of the received requests.</summary>
    public ConcurrentBag<(string Path, string Key)> Asked { get; } = [];

    public static async Task<FakePeer> StartAsync(RequestDelegate answer)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        var peer = new FakePeer(builder.Build());
        peer.app.Run(http =>
        {
            peer.Asked.Add((http.Request.Path, http.Request.Headers.Authorization.ToString()));
            return answer(http);
        });
        await peer.app.StartAsync();
        return peer;
    }

    public static Task<FakePeer> RespondAsync(string body, int status = 200) => StartAsync(http =>
    {
        http.Response.StatusCode = status;
        return http.Response.WriteAsync(body);
    });

    /// <summary>Accepts every request and responds to none.</summary>
    public static Task<FakePeer> NeverRespondAsync() => StartAsync(
        http => Task.Delay(Timeout.Infinite, http.RequestAborted).ContinueWith(static _ => { }, TaskScheduler.Default));

    public ValueTask DisposeAsync() => app.DisposeAsync();
}
