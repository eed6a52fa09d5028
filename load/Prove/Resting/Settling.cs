using System.Text.Json;
using ApexShop.Prove.Clients;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Resting;

/// <summary>
/// Waits after the load until nothing moves any more: every process is ready, and every event has a position and is
/// applied. A command whose client gave up may still be committed; a log that is unchanged for the quiet time has no
/// such command.
/// </summary>
internal sealed class Settling(ShopAddresses shop, TimeSpan quiet)
{
    private static readonly TimeSpan limit = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan timeout = TimeSpan.FromSeconds(10);

    /// <summary>Returns the lines of the whole log.</summary>
    /// <exception cref="TimeoutException">Events are not applied.</exception>
    public async Task<List<string>> WaitAsync(CancellationToken ct)
    {
        var began = TimeProvider.System.GetTimestamp();
        var why = "";
        while (TimeProvider.System.GetElapsedTime(began) < limit)
        {
            if ((why = await NotReadyAsync(ct)) == "")
            {
                var log = await new LogReader(shop).ReadAsync(ct);
                why = await BehindAsync(log, ct);
                if (why == "")
                {
                    await Task.Delay(quiet, ct);
                    why = await NotReadyAsync(ct);
                    if (why == "" && (await new LogReader(shop).ReadAsync(ct)).Count == log.Count) return log;
                    if (why == "") why = "commands are still committed";
                }
            }

            await Task.Delay(pause, ct);
        }

        throw new TimeoutException($"The shop did not come to rest within {limit.TotalSeconds} s: {why}.");
    }

    private async Task<string> NotReadyAsync(CancellationToken ct)
    {
        foreach (var address in shop.Commands.Concat(shop.Queries))
        {
            if (await GetAsync(address, "/health/ready", ct) is null) return $"{address.Name} is not ready";
        }

        if (await GetAsync(shop.Commands[0], "/admin/pipeline", ct) is not { } pipeline) return "no pipeline responds";
        var outbox = JsonElement.Parse(pipeline).GetProperty("log").GetProperty("outbox");
        return outbox.ValueKind == JsonValueKind.Number && outbox.GetInt64() == 0 ? "" : "events have no position";
    }

    private async Task<string> BehindAsync(List<string> log, CancellationToken ct)
    {
        if (await GetAsync(shop.Commands[0], "/admin/projection", ct) is not { } text) return "no Projector responds";
        var projection = JsonElement.Parse(text);
        if (projection.GetProperty("parkedEvents").GetInt64() > 0) return "events are parked";
        var positions = projection.GetProperty("positions");
        var last = log.Select(LogEvent.Parse).GroupBy(one => one.Resource)
            .ToDictionary(same => same.Key, same => same.Last().Position);
        foreach (var (resource, position) in last)
        {
            if (!positions.TryGetProperty(resource, out var applied) || applied.GetInt64() < position)
                return $"{resource} are applied to {applied} of {position}";
        }

        return "";
    }

    private async Task<string?> GetAsync(ShopAddress address, string path, CancellationToken ct)
    {
        using var client = shop.Client(address, timeout);
        try
        {
            using var response = await client.GetAsync(path, ct);
            return response.IsSuccessStatusCode ? await response.Content.ReadAsStringAsync(ct) : null;
        }
        catch (Exception lost) when (
            lost is HttpRequestException or IOException
            || (lost is TaskCanceledException && !ct.IsCancellationRequested))
        {
            return null;
        }
    }
}
