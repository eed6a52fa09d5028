using System.Text;
using System.Text.Json;
using ApexShop.Commands.Api.Admin;
using ApexShop.Operations;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Console;

/// <summary>
/// Where the documents stand. All Projectors are asked, so that one that is away shows: of what they share, one tells; what
/// each has counted is added up.
/// </summary>
internal sealed class ProjectionReading(Neighbour neighbour, IOptions<ProjectorOptions> options)
{
    public async Task<ProjectionPart> ReadAsync(string? authorization, CancellationToken ct)
    {
        var urls = options.Value.Urls;
        var metrics = Task.WhenAll(urls.Select(url => neighbour.AskAsync(url, "/metrics", authorization, ct)));
        var all = (await Task.WhenAll(urls.Select(url => neighbour.AskAsync(url, "/admin/projection", authorization, ct))))
            .Select(said => (Said: said, Status: StatusOf(said))).ToList();
        var processes = all.Select(one => new ProcessPart(one.Said.Url.ToString(), one is { Said.IsOk: true, Status: null } ? PartState.Away : one.Said.State, one.Said.Reason)).ToList();
        var pages = (await metrics).Where(said => said.IsOk).Select(said => Encoding.UTF8.GetString(said.Body)).ToList();
        return new(
            PartState.OfAny(processes.Select(process => process.State)),
            processes,
            all.Select(one => one.Status).FirstOrDefault(status => status is not null),
            QueueDepthOf(pages),
            null,
            null,
            null,
            VisibleOf(pages));
    }

    /// <summary>The histograms of several pages as one; null where none has it.</summary>
    public static IReadOnlyList<VisibleBucket>? VisibleOf(IEnumerable<string> pages)
    {
        var buckets =
            from page in pages
            from sample in MetricsText.Samples(page, "apexshop_visible_duration_seconds_bucket")
            let bound = MetricsText.Number(MetricsText.Label(sample.Labels, "le"))
            where bound is not null
            group (long)sample.Value by bound.Value into one
            orderby one.Key
            select new VisibleBucket(double.IsFinite(one.Key) ? one.Key : null, one.Sum());
        return buckets.ToList() is [_, ..] all ? all : null;
    }

    // All look at the same queue.
    public static long? QueueDepthOf(IEnumerable<string> pages) =>
        pages.SelectMany(page => MetricsText.Samples(page, "apexshop_queue_messages")).Select(sample => (long?)sample.Value).Max();

    // What has another form comes from something that is no Projector.
    private static ProjectionStatus? StatusOf(Said said)
    {
        if (!said.IsOk) return null;
        try
        {
            return JsonSerializer.Deserialize(said.Body, OperationsJson.Default.ProjectionStatus);
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
