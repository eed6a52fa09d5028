using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Commands.Api.Operations;
using ApexShop.Operations;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Operations.Console;

/// <summary>
/// Where the documents stand. All Projectors are asked, so that one that is unavailable shows: of what they share, one tells; what
/// each has counted is added up.
/// </summary>
internal sealed class ProjectionReading(Neighbour neighbour, IOptions<ProjectorOptions> options)
{
    public async Task<ProjectionPart> ReadAsync(string? authorization, CancellationToken ct)
    {
        var metrics = AskAllAsync("/metrics", authorization, ct);
        var rebuilds = AskAllAsync("/admin/projections/rebuild", authorization, ct);
        var all = (await AskAllAsync("/admin/projection", authorization, ct))
            .Select(said => (Said: said, Status: Read(said, OperationsJson.Default.ProjectionStatus))).ToList();
        var processes = all.Select(one => new ProcessPart(one.Said.Url.ToString(), one is { Said.IsOk: true, Status: null } ? PartState.Unavailable : one.Said.State, one.Said.Reason)).ToList();
        var pages = (await metrics).Where(said => said.IsOk).Select(said => Encoding.UTF8.GetString(said.Body)).ToList();
        return new(
            PartState.OfAny(processes.Select(process => process.State)),
            processes,
            all.Select(one => one.Status).FirstOrDefault(status => status is not null),
            QueueDepthOf(pages),
            null,
            null,
            null,
            VisibleOf(pages),
            (await rebuilds).Select(said => Read(said, OperationsJson.Default.RebuildStatus)).OfType<RebuildStatus>()
                .Where(rebuild => rebuild.Documents is not null).Select(RebuildPart.Of).FirstOrDefault());
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

    private Task<Said[]> AskAllAsync(string path, string? authorization, CancellationToken ct) =>
        Task.WhenAll(options.Value.Urls.Select(url => neighbour.AskAsync(url, path, authorization, ct)));

    // What has another form comes from something that is no Projector.
    private static T? Read<T>(Said said, JsonTypeInfo<T> type)
        where T : class
    {
        if (!said.IsOk) return null;
        try
        {
            return JsonSerializer.Deserialize(said.Body, type);
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
