using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Runtime.CompilerServices;
using System.Text.Json;

namespace ApexShop.Events.Client.Receiving;

/// <summary>The log was restored, and no longer has the events up to the consumer's position.</summary>
internal sealed class LogReplacedException(string message) : Exception(message);

/// <summary>The shop refused a request for some time.</summary>
internal sealed class ShopBusyException(string message, TimeSpan wait) : HttpRequestException(message)
{
    public TimeSpan Wait => wait;
}

/// <summary>
/// The shop's event log over HTTP, in pages: slow readers of whole logs do not keep a consumer from reading these.
/// </summary>
internal sealed class EventFeed : IDisposable
{
    /// <summary>The events of a page; one with fewer is the last.</summary>
    public const int PageSize = 500;

    private readonly HttpClient http;

    public EventFeed(Uri shop, string key)
    {
        // Without the slash the last part of its path would be replaced.
        http = new HttpClient { BaseAddress = new Uri($"{shop.ToString().TrimEnd('/')}/") };
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);
    }

    /// <summary>
    /// Reads the next page of a resource's events after a position of the log with this identity. When the response
    /// may be incomplete, old events that later ones replace may have been removed.
    /// </summary>
    /// <exception cref="LogReplacedException">The position is not one of the current log.</exception>
    /// <exception cref="HttpRequestException">The shop refused the request, or did not respond.</exception>
    public async Task<Response> ReadAsync(
        string resource, string? log, long after, bool isCompacted, bool isIncomplete, CancellationToken ct)
    {
        var path = string.Create(
            CultureInfo.InvariantCulture, $"events?resource={resource}&after={after}&limit={PageSize}");
        if (isIncomplete) path += "&incomplete=true";
        if (log is not null) path += $"&log={log}";
        if (isCompacted) path += "&compacted=true";
        var response = await http.GetAsync(
            new Uri(path, UriKind.Relative), HttpCompletionOption.ResponseHeadersRead, ct);
        if (response.IsSuccessStatusCode && response.Headers.TryGetValues("Log-Id", out var id))
            return new Response(response, id.Single(), http.Timeout);
        using (response)
        {
            // Such as the page of a proxy. Its body is not printed: it may have events, with personal data.
            if (response.IsSuccessStatusCode) throw new HttpRequestException($"GET {path}: no header Log-Id");
            // The client's own limit ends with the headers, here and for the events.
            var body = await response.Content.ReadAsStringAsync(ct).WaitAsync(http.Timeout, ct);
            var problem = $"GET {path}: {(int)response.StatusCode} {body}";
            var retry = response.Headers.RetryAfter;
            if ((retry?.Delta ?? retry?.Date - TimeProvider.System.GetUtcNow()) is { } wait)
                throw new ShopBusyException(problem, wait);
            // Another 410 may be one of a proxy, or name events that were removed.
            throw response.StatusCode == HttpStatusCode.Gone && CodeOf(body) == "log.replaced"
                ? new LogReplacedException(problem)
                : new HttpRequestException(problem);
        }
    }

    public void Dispose() => http.Dispose();

    private static string? CodeOf(string body)
    {
        try
        {
            var problem = JsonElement.Parse(body);
            return problem.ValueKind == JsonValueKind.Object && problem.TryGetProperty("code", out var code)
                ? code.ToString()
                : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    /// <summary>The identity of the log now, and its events, one at a time.</summary>
    internal sealed class Response(HttpResponseMessage response, string log, TimeSpan limit) : IDisposable
    {
        public string Log => log;

        public async IAsyncEnumerable<JsonElement> EventsAsync([EnumeratorCancellation] CancellationToken ct)
        {
            using var lines = new StreamReader(await response.Content.ReadAsStreamAsync(ct));
            // A connection that hangs must not be waited for.
            while (await lines.ReadLineAsync(ct).AsTask().WaitAsync(limit, ct) is { } line)
            {
                // Sent while the log has nothing to send for long.
                if (line.Length == 0) continue;
                var json = JsonElement.Parse(line);
                // The last line of an interrupted response.
                if (json.TryGetProperty("error", out var error)) throw new IOException($"The log ended: {error}");
                yield return json;
            }
        }

        public void Dispose() => response.Dispose();
    }
}
