using System.Text.Json;
using ApexShop.Commands.Api.Admin;
using ApexShop.Operations;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Console;

/// <summary>Where the documents stand. All Projectors are asked, so that one that is away shows; they share what they say.</summary>
internal sealed class ProjectionReading(Neighbour neighbour, IOptions<ProjectorOptions> options)
{
    public async Task<ProjectionPart> ReadAsync(string? authorization, CancellationToken ct)
    {
        var all = await Task.WhenAll(options.Value.Urls.Select(url => neighbour.AskAsync(url, "/admin/projection", authorization, ct)));
        var read = all.Select(said => (Said: said, Status: StatusOf(said))).ToList();
        var processes = read.Select(one => new ProcessPart(one.Said.Url, one is { Said.IsOk: true, Status: null } ? PartState.Away : one.Said.State, one.Said.Reason)).ToList();
        var status = read.Select(one => one.Status).FirstOrDefault(one => one is not null);
        return new(StateOf(processes.Select(process => process.State)), processes, status, null, null, null);
    }

    /// <summary>The best of several: a part that one process knows is known.</summary>
    public static string StateOf(IEnumerable<string> states)
    {
        var all = states.ToHashSet(StringComparer.Ordinal);
        return all.Contains(PartState.Ok) ? PartState.Ok : all.Contains(PartState.Refused) ? PartState.Refused : PartState.Away;
    }

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
