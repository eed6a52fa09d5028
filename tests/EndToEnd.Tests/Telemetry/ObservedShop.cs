using System.Diagnostics;
using System.Net.Http.Json;
using ApexShop.TestKit;
using ApexShop.TestKit.Metrics;

namespace ApexShop.EndToEnd.Tests.Telemetry;

/// <summary>
/// A shop that exports traces and metrics to a collector in the test, with a short sampling interval.
/// </summary>
public sealed class ObservedShop : IAsyncLifetime
{
    internal Collector Collector { get; private set; } = null!;

    public Shop Shop { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        Collector = await Collector.StartAsync();
        Shop = await Shop.StartAsync(settings: new Dictionary<string, string>(Collector.Settings)
        {
            ["Telemetry__SampleSeconds"] = "0.2",
        });
    }

    public async Task DisposeAsync()
    {
        if (Shop is not null) await Shop.DisposeAsync();
        await Collector.DisposeAsync();
    }
}

/// <summary>A request with the trace context of a caller that traces, too.</summary>
internal sealed class TracedCaller
{
    public string Trace { get; } = ActivityTraceId.CreateRandom().ToHexString();

    public string Span { get; } = ActivitySpanId.CreateRandom().ToHexString();

    public async Task<HttpResponseMessage> SendAsync(
        ShopProcess process, HttpMethod method, string path, object? body = null, string? token = null)
    {
        using var request = new HttpRequestMessage(method, path);
        request.Headers.Add("traceparent", $"00-{Trace}-{Span}-01");
        if (body is not null) request.Content = JsonContent.Create(body);
        if (token is not null) request.Headers.Add("Consistency-Token", token);
        return await process.Http.SendAsync(request);
    }
}

internal static class Scraping
{
    /// <summary>The metrics of a process, read by the parser of the tests.</summary>
    public static async Task<MetricsText> MetricsAsync(this ShopProcess process) =>
        MetricsText.Parse(await process.Http.GetStringAsync(new Uri("/metrics", UriKind.Relative)));
}
