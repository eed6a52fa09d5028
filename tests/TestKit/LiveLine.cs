using System.Globalization;
using System.Net.Http.Headers;

namespace ApexShop.TestKit;

/// <summary>One record of server-sent events, as it stands on the line.</summary>
public sealed record LiveRecord(long? Id, string? Event, string? Data, string? Comment, int? Retry);

/// <summary>A follower of server-sent events.</summary>
public sealed class LiveLine : IDisposable
{
    private static readonly TimeSpan patience = TimeSpan.FromSeconds(30);

    private readonly HttpResponseMessage response;
    private readonly StreamReader reader;

    private LiveLine(HttpResponseMessage response, StreamReader reader) =>
        (this.response, this.reader) = (response, reader);

    public HttpResponseHeaders Headers => response.Headers;

    public static async Task<LiveLine> OpenAsync(HttpClient http, string path, string? lastEventId = null)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        if (lastEventId is not null) request.Headers.Add("Last-Event-ID", lastEventId);
        var response = await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
        response.IsSuccessStatusCode.ShouldBeTrue($"{path}: {response.StatusCode}");
        response.Content.Headers.ContentType!.MediaType.ShouldBe("text/event-stream");
        return new LiveLine(response, new StreamReader(await response.Content.ReadAsStreamAsync()));
    }

    /// <summary>The next record, of whatever kind; null when the line has ended.</summary>
    public async Task<LiveRecord?> NextAsync()
    {
        var fields = new Dictionary<string, string>();
        while (true)
        {
            var line = await reader.ReadLineAsync().WaitAsync(patience);
            if (line is null) return null;
            if (line.Length == 0) return Record(fields);
            var colon = line.IndexOf(':', StringComparison.Ordinal);
            fields.Add(line[..colon], line[(colon + 1)..].TrimStart(' '));
        }
    }

    /// <summary>The next record that is an event; null when the line has ended.</summary>
    public Task<LiveRecord?> NextEventAsync() => FindEventAsync().WaitAsync(patience);

    // However often the line says that it still stands: an event that is only found by a poll comes too late.
    private async Task<LiveRecord?> FindEventAsync()
    {
        while (await NextAsync() is { } record)
        {
            if (record.Data is not null) return record;
        }

        return null;
    }

    /// <summary>The positions of the next so many events.</summary>
    public async Task<List<long>> TakeAsync(int count)
    {
        var positions = new List<long>();
        while (positions.Count < count && await NextEventAsync() is { } record) positions.Add(record.Id!.Value);
        return positions;
    }

    public void Dispose()
    {
        reader.Dispose();
        response.Dispose();
    }

    private static LiveRecord Record(Dictionary<string, string> fields) => new(
        fields.TryGetValue("id", out var id) ? long.Parse(id, CultureInfo.InvariantCulture) : null,
        fields.GetValueOrDefault("event"),
        fields.GetValueOrDefault("data"),
        fields.GetValueOrDefault(""),
        fields.TryGetValue("retry", out var retry) ? int.Parse(retry, CultureInfo.InvariantCulture) : null);
}
