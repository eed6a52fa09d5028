using System.Collections.Concurrent;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace ApexShop.Commands.Api.Tests.Operations.Console;

/// <summary>Stands where another process of the shop is and answers as the test wants it.</summary>
internal sealed class StandIn : IAsyncDisposable
{
    private readonly WebApplication app;

    private StandIn(WebApplication app) => this.app = app;

    public string Url => app.Urls.Single();

    /// <summary>What was asked, with which key.</summary>
    public ConcurrentBag<(string Path, string Key)> Asked { get; } = [];

    public static async Task<StandIn> StartAsync(RequestDelegate answer)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        var standIn = new StandIn(builder.Build());
        standIn.app.Run(http =>
        {
            standIn.Asked.Add((http.Request.Path, http.Request.Headers.Authorization.ToString()));
            return answer(http);
        });
        await standIn.app.StartAsync();
        return standIn;
    }

    public static Task<StandIn> SayingAsync(string body, int status = 200) => StartAsync(http =>
    {
        http.Response.StatusCode = status;
        return http.Response.WriteAsync(body);
    });

    /// <summary>Takes every request and answers none.</summary>
    public static Task<StandIn> SilentAsync() => StartAsync(http => Task.Delay(Timeout.Infinite, http.RequestAborted).ContinueWith(static _ => { }, TaskScheduler.Default));

    public ValueTask DisposeAsync() => app.DisposeAsync();
}
