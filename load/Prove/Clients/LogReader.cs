using System.Globalization;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>Reads the whole event log over HTTP, and continues after an interruption.</summary>
internal sealed class LogReader(ShopAddresses shop)
{
    private const int Attempts = 100;

    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(300);
    private static readonly TimeSpan timeout = TimeSpan.FromMinutes(5);

    /// <summary>The lines of the log, from the first event to the last one.</summary>
    public async Task<List<string>> ReadAsync(CancellationToken ct)
    {
        var lines = new List<string>();
        for (var attempt = 0; attempt < Attempts; attempt++)
        {
            var after = lines.Count == 0 ? 0 : LogEvent.Parse(lines[^1]).Position;
            if (await ReadAsync(shop.Commands[attempt % shop.Commands.Count], after, lines, ct)) return lines;
            await Task.Delay(pause, ct);
        }

        throw new TimeoutException("The event log could not be read: no Commands.Api responds to GET /events.");
    }

    private async Task<bool> ReadAsync(ShopAddress address, long after, List<string> lines, CancellationToken ct)
    {
        using var client = shop.Client(address, timeout);
        try
        {
            var path = string.Create(CultureInfo.InvariantCulture, $"/events?after={after}");
            using var response = await client.GetAsync(path, HttpCompletionOption.ResponseHeadersRead, ct);
            if (!response.IsSuccessStatusCode) return false;
            using var reader = new StreamReader(await response.Content.ReadAsStreamAsync(ct));
            while (await reader.ReadLineAsync(ct) is { } line)
            {
                if (line.StartsWith("{\"error\"", StringComparison.Ordinal)) return false;
                lines.Add(line);
            }

            return true;
        }
        catch (Exception lost) when (lost is HttpRequestException or IOException)
        {
            return false;
        }
    }
}
