using System.Globalization;
using System.Text.Json;

namespace ApexShop.Faults.Tests;

/// <summary>
/// Follows the event log from any Commands.Api that responds, and continues after the last line that it read
/// whole.
/// </summary>
internal sealed class LogFollower(IReadOnlyList<ShopProcess> commands)
{
    private readonly List<long> seen = [];
    private int turn;

    public IReadOnlyList<long> Seen => seen;

    public async Task RunAsync(CancellationToken ct)
    {
        while (!ct.IsCancellationRequested)
        {
            if (!await ReadAsync()) await Task.Delay(20, CancellationToken.None);
        }
    }

    /// <summary>Reads up to a position that exists.</summary>
    public async Task ReachesAsync(long position)
    {
        while (seen.Count == 0 || seen[^1] < position) await ReadAsync();
    }

    private async Task<bool> ReadAsync()
    {
        var before = seen.Count;
        try
        {
            var path = string.Create(CultureInfo.InvariantCulture, $"/events?after={(before == 0 ? 0 : seen[^1])}");
            using var response =
                await commands[turn % commands.Count].Http.GetAsync(path, HttpCompletionOption.ResponseHeadersRead);
            response.EnsureSuccessStatusCode();
            using var lines = new StreamReader(await response.Content.ReadAsStreamAsync());
            while (await lines.ReadLineAsync() is { Length: > 0 } line) Take(line);
        }
        catch (Exception lost) when (ShopProcess.IsDisconnect(lost) || lost is JsonException)
        {
            turn++;
        }

        return seen.Count > before;
    }

    private void Take(string line)
    {
        using var entry = JsonDocument.Parse(line);
        // A last line with the reason why the response ended.
        if (!entry.RootElement.TryGetProperty("sequence", out var sequence)) return;
        seen.Add(long.Parse(sequence.GetString()!, NumberStyles.None, CultureInfo.InvariantCulture));
    }
}
