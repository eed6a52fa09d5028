using System.Collections.Concurrent;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace ApexShop.EndToEnd.Tests.Telemetry;

/// <summary>A span as a collector receives it.</summary>
internal sealed record Span(
    string Service,
    string Source,
    string Name,
    string Trace,
    string Id,
    string Parent,
    IReadOnlyList<string> Links,
    IReadOnlyDictionary<string, string> Tags);

/// <summary>
/// Receives what the processes export (OTLP over HTTP, in protobuf), and reads it by the field numbers of the standard:
/// it uses no code of the exporters.
/// </summary>
internal sealed class Collector : IAsyncDisposable
{
    private readonly WebApplication app;
    private readonly ConcurrentQueue<Span> spans = new();
    private readonly ConcurrentDictionary<(string Service, string Metric), bool> metrics = new();

    private Collector(WebApplication app) => this.app = app;

    public IReadOnlyCollection<Span> Spans => [.. spans];

    public IReadOnlyCollection<(string Service, string Metric)> Metrics => [.. metrics.Keys];

    /// <summary>The settings with which the processes send everything here, and soon.</summary>
    public IReadOnlyDictionary<string, string> Settings => new Dictionary<string, string>
    {
        ["OTEL_EXPORTER_OTLP_ENDPOINT"] = app.Urls.Single(),
        ["OTEL_EXPORTER_OTLP_PROTOCOL"] = "http/protobuf",
        ["OTEL_BSP_SCHEDULE_DELAY"] = "100",
        ["OTEL_METRIC_EXPORT_INTERVAL"] = "500",
    };

    public static async Task<Collector> StartAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        var app = builder.Build();
        var collector = new Collector(app);
        app.MapPost("/v1/traces", http => ReadAsync(http, collector.AddSpans));
        app.MapPost("/v1/metrics", http => ReadAsync(http, collector.AddMetrics));
        await app.StartAsync();
        return collector;
    }

    /// <summary>The spans of one trace, as soon as it has a span of each of these names.</summary>
    public async Task<IReadOnlyList<Span>> TraceAsync(string trace, params string[] names)
    {
        List<Span> found = [];
        string[] missing = names;
        try
        {
            await Eventually.Holds(
                () =>
                {
                    found = [.. spans.Where(span => span.Trace == trace)];
                    missing = [.. names.Where(name => found.All(span => span.Name != name))];
                    return missing.Length == 0;
                },
                "the trace is whole");
        }
        catch (TimeoutException late)
        {
            var has = found.Select(span => $"{span.Service}: {span.Name}").Distinct();
            throw new TimeoutException(
                $"{late.Message}; it lacks {string.Join(", ", missing)}; it has {string.Join(", ", has)}", late);
        }

        return found;
    }

    public ValueTask DisposeAsync() => app.DisposeAsync();

    private static async Task ReadAsync(HttpContext http, Action<Protobuf> add)
    {
        using var body = new MemoryStream();
        await http.Request.Body.CopyToAsync(body);
        add(new Protobuf(body.ToArray()));
        http.Response.ContentType = "application/x-protobuf";
    }

    private void AddSpans(Protobuf request)
    {
        foreach (var resource in request.Messages(1))
        {
            var service = Tags(resource.Messages(1).Single(), 1)["service.name"];
            foreach (var scope in resource.Messages(2))
            {
                var source = scope.Messages(1).Single().Text(1);
                foreach (var span in scope.Messages(2)) spans.Enqueue(Read(service, source, span));
            }
        }
    }

    private void AddMetrics(Protobuf request)
    {
        foreach (var resource in request.Messages(1))
        {
            var service = Tags(resource.Messages(1).Single(), 1)["service.name"];
            foreach (var metric in resource.Messages(2).SelectMany(scope => scope.Messages(2)))
                metrics[(service, metric.Text(1))] = true;
        }
    }

    private static Span Read(string service, string source, Protobuf span) => new(
        service, source, span.Text(5), span.Hex(1), span.Hex(2), span.Hex(4),
        [.. span.Messages(13).Select(link => $"{link.Hex(1)}-{link.Hex(2)}")],
        Tags(span, 9));

    private static Dictionary<string, string> Tags(Protobuf message, int number) =>
        message.Messages(number).ToDictionary(
        tag => tag.Text(1),
        tag => tag.Messages(2).Single() is var value && value.Has(1) ? value.Text(1) : $"{value.Number(3)}");
}
