using System.Text.Json;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Operations.Console;

/// <summary>
/// Reads the readiness of every process, with the state of each dependency: a dependency that a process can do without
/// for a while does not show in its work.
/// </summary>
internal sealed class ProcessHealthReader(
    PeerClient peers,
    HealthCheckService checks,
    IOptions<ProjectorOptions> projectors,
    IOptions<QueriesOptions> queries)
{
    public async Task<IReadOnlyList<ProcessHealth>> ReadAsync(CancellationToken ct) => await Task.WhenAll(
    [
        OwnAsync(ct),
        .. projectors.Value.Urls.Select(url => PeerAsync("Projector", url, ct)),
        .. queries.Value.Urls.Select(url => PeerAsync("Queries.Api", url, ct)),
    ]);

    private async Task<ProcessHealth> OwnAsync(CancellationToken ct)
    {
        const string name = "Commands.Api";
        try
        {
            var report = await checks.CheckHealthAsync(ct).WaitAsync(ct);
            return new(name, null, report.Status == HealthStatus.Unhealthy ? "not ready" : "ready", Checks(report));
        }
        catch (OperationCanceledException)
        {
            // A dependency does not respond in time.
            return new(name, null, "not ready", null);
        }
    }

    private static Dictionary<string, string> Checks(HealthReport report) => report.Entries.ToDictionary(
        entry => entry.Key,
        entry => entry.Value.Status == HealthStatus.Healthy ? PartState.Ok : PartState.Unavailable,
        StringComparer.Ordinal);

    private async Task<ProcessHealth> PeerAsync(string name, Uri url, CancellationToken ct)
    {
        // The probe is public, and a process that is not ready sends its checks with 503.
        var response = await peers.GetAsync(url, "/health/ready", null, ct);
        var readiness = Read(response.Body);
        return new(name, url.ToString(), readiness?.Status ?? PartState.Unavailable, readiness?.Checks);
    }

    private static ReadinessBody? Read(byte[] body)
    {
        try
        {
            return JsonSerializer.Deserialize<ReadinessBody>(body, JsonSerializerOptions.Web);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private sealed record ReadinessBody(string? Status, Dictionary<string, string>? Checks);
}
