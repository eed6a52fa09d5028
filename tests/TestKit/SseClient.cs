using System.Globalization;
using System.Net.Http.Headers;

namespace ApexShop.TestKit;

/// <summary>One record of server-sent events; its id is the position only.</summary>
public sealed record SseRecord(long? Id, string? Event, string? Data, string? Comment, int? Retry);

/// <summary>A client of server-sent events.</summary>
public sealed class SseClient : IDisposable
{
    private static readonly TimeSpan timeout = TimeSpan.FromSeconds(30);

    private readonly HttpResponseMessage response;
    private readonly StreamReader reader;

    private SseClient(HttpResponseMessage response, StreamReader reader) =>
        (this.response, this.reader) = (response, reader);

    public HttpResponseHeaders Headers => response.Headers;

    /// <summary>The id of the last record that had one: the log's identity, a colon and the position.</summary>
    public string? LastId { get; private set; }

    public static async Task<SseClient> OpenAsync(HttpClient http, string path, string? lastEventId = null)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        if (lastEventId is not null) request.Headers.Add("Last-Event-ID", lastEventId);
        var response = await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
        response.IsSuccessStatusCode.ShouldBeTrue($"{path}: {response.StatusCode}");
        response.Content.Headers.ContentType!.MediaType.ShouldBe("text/event-stream");
        return new SseClient(response, new StreamReader(await response.Content.ReadAsStreamAsync()));
    }

    /// <summary>The next record of any kind; null at the end of the stream.</summary>
    public async Task<SseRecord?> NextAsync()
    {
        var fields = new Dictionary<string, string>();
        while (true)
        {
            var line = await reader.ReadLineAsync().WaitAsync(timeout);
            if (line is null) return null;
            if (line.Length == 0)
            {
                LastId = fields.GetValueOrDefault("id", LastId!);
                return Record(fields);
            }

            var colon = line.IndexOf(':', StringComparison.Ordinal);
            fields.Add(line[..colon], line[(colon + 1)..].TrimStart(' '));
        }
    }

    /// <summary>The next record that is an event; null at the end of the stream.</summary>
    public Task<SseRecord?> NextEventAsync() => FindEventAsync().WaitAsync(timeout);

    // Heartbeats do not extend the limit: an event that only a poll finds comes too late.
    private async Task<SseRecord?> FindEventAsync()
    {
        while (await NextAsync() is { } record)
        {
            if (record.Data is not null) return record;
        }

        return null;
    }

    /// <summary>The positions of the next events.</summary>
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

    private static SseRecord Record(Dictionary<string, string> fields) => new(
        fields.TryGetValue("id", out var id) ? long.Parse(id.Split(':')[^1], CultureInfo.InvariantCulture) : null,
        fields.GetValueOrDefault("event"),
        fields.GetValueOrDefault("data"),
        fields.GetValueOrDefault(""),
        fields.TryGetValue("retry", out var retry) ? int.Parse(retry, CultureInfo.InvariantCulture) : null);
}
