using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Operations;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Operations.Console;

/// <summary>
/// Reads the status of the projection from all Projectors, so that an unavailable one is visible. What they share is
/// taken from the first that responds; counts of the single processes are added up.
/// </summary>
internal sealed class ProjectionStatusReader(PeerClient peers, IOptions<ProjectorOptions> options)
{
    public async Task<ProjectionPart> ReadAsync(string? authorization, CancellationToken ct)
    {
        var metrics = GetAllAsync("/metrics", authorization, ct);
        var rebuilds = GetAllAsync("/admin/projections/rebuild", authorization, ct);
        var all = (await GetAllAsync("/admin/projection", authorization, ct))
            .Select(response => (Response: response, Status: Read(response, OperationsJson.Default.ProjectionStatus)))
            .ToList();
        var processes = all.Select(one => Process(one.Response, one.Status)).ToList();
        var pages = (await metrics).Where(page => page.IsOk)
            .Select(page => Encoding.UTF8.GetString(page.Body)).ToList();
        var rebuild = (await rebuilds).Select(response => Read(response, OperationsJson.Default.RebuildStatus))
            .FirstOrDefault(status => status is { Documents: not null });
        return new(
            PartState.OfAny(processes.Select(process => process.State)),
            processes,
            all.Select(one => one.Status).FirstOrDefault(status => status is not null),
            QueueDepthOf(pages),
            null,
            null,
            null,
            VisibleOf(pages),
            rebuild is null ? null : RebuildPart.Of(rebuild));
    }

    /// <summary>
    /// The sum of the histograms of several pages; empty before the first change, and null without a page.
    /// </summary>
    public static IReadOnlyList<VisibleBucket>? VisibleOf(IReadOnlyCollection<string> pages)
    {
        if (pages.Count == 0) return null;
        var buckets =
            from page in pages
            from sample in MetricsPageReader.Samples(page, "apexshop_visible_duration_seconds_bucket")
            let bound = MetricsPageReader.Number(MetricsPageReader.Label(sample.Labels, "le"))
            where bound is not null
            group (long)sample.Value by bound.Value into bucket
            orderby bucket.Key
            select new VisibleBucket(double.IsFinite(bucket.Key) ? bucket.Key : null, bucket.Sum());
        return buckets.ToList();
    }

    // All Projectors report the same queue, so the values are not added up.
    public static long? QueueDepthOf(IEnumerable<string> pages) => pages
        .SelectMany(page => MetricsPageReader.Samples(page, "apexshop_queue_messages"))
        .Select(sample => (long?)sample.Value).Max();

    private Task<PeerResponse[]> GetAllAsync(string path, string? authorization, CancellationToken ct) =>
        Task.WhenAll(options.Value.Urls.Select(url => peers.GetAsync(url, path, authorization, ct)));

    // A process that returns something else is not a Projector.
    private static ProcessPart Process(PeerResponse response, ProjectionStatus? status) => new(
        response.Url.ToString(),
        response.IsOk && status is null ? PartState.Unavailable : response.State,
        response.Reason);

    private static T? Read<T>(PeerResponse response, JsonTypeInfo<T> type)
        where T : class
    {
        if (!response.IsOk) return null;
        try
        {
            return JsonSerializer.Deserialize(response.Body, type);
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
