using ApexShop.Access;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Streaming;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>
/// Limits the memory of the long responses that are being sent, which clients that read slowly keep: of all callers, of
/// all callers without a key, and of each caller. A response that several clients get counts once.
/// </summary>
internal sealed class UnsentResponses(IOptions<ReadingOptions> reading, StreamMetrics metrics)
{
    private readonly long most = reading.Value.UnsentMegabytes * 1024L * 1024;
    private readonly ResponseSet all = new();
    private readonly Dictionary<string, ResponseSet> byCaller = new(StringComparer.Ordinal);
    private readonly Lock gate = new();

    /// <summary>Counts the response until the result is disposed of; null when there is no space for it.</summary>
    public IDisposable? TryAdd(HttpContext http, CachedResponse response)
    {
        var caller = CallerIdentity.Of(http);
        var limit = CallerIdentity.HasKey(http) ? most : most / 4 * 3;
        lock (gate)
        {
            var ofCaller = byCaller.GetValueOrDefault(caller) ?? new ResponseSet();
            if (!ofCaller.HasSpace(response, most / 2) || !all.HasSpace(response, limit))
            {
                metrics.Refused();
                return null;
            }

            byCaller[caller] = ofCaller;
            ofCaller.Add(response);
            all.Add(response);
        }

        return new Unsent(this, caller, response);
    }

    private void Remove(string caller, CachedResponse response)
    {
        lock (gate)
        {
            // A caller without responses is removed, so that many addresses take no memory.
            byCaller[caller].Remove(response);
            if (byCaller[caller].IsEmpty) byCaller.Remove(caller);
            all.Remove(response);
        }
    }

    /// <summary>Different responses, each with the number of clients that get it.</summary>
    private sealed class ResponseSet
    {
        private readonly Dictionary<CachedResponse, int> clients = new(ReferenceEqualityComparer.Instance);
        private long bytes;

        public bool IsEmpty => clients.Count == 0;

        // However long a response is, it is sent when there is no other one.
        public bool HasSpace(CachedResponse response, long limit) =>
            IsEmpty || clients.ContainsKey(response) || bytes + response.Body.Length <= limit;

        public void Add(CachedResponse response)
        {
            if (clients.TryAdd(response, 1)) bytes += response.Body.Length;
            else clients[response]++;
        }

        public void Remove(CachedResponse response)
        {
            if (--clients[response] > 0) return;
            clients.Remove(response);
            bytes -= response.Body.Length;
        }
    }

    private sealed class Unsent(UnsentResponses responses, string caller, CachedResponse response) : IDisposable
    {
        public void Dispose() => responses.Remove(caller, response);
    }
}
