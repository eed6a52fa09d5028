using ApexShop.Access;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Streaming;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>
/// Limits the memory of the long responses that are being sent, which clients that read slowly keep: of all callers, of
/// all callers without a key, and of each caller. A response that several clients get counts once for all together.
/// </summary>
internal sealed class UnsentResponses(IOptions<ReadingOptions> reading, StreamMetrics metrics)
{
    private readonly long most = reading.Value.UnsentMegabytes * 1024L * 1024;
    private readonly Dictionary<CachedResponse, int> clients = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<string, long> byCaller = new(StringComparer.Ordinal);
    private readonly Lock gate = new();
    private long all;

    /// <summary>Counts the response until the result is disposed of; null when there is no space for it.</summary>
    public IDisposable? TryAdd(HttpContext http, CachedResponse response)
    {
        var caller = CallerIdentity.Of(http);
        var limit = CallerIdentity.HasKey(http) ? most : most / 4 * 3;
        lock (gate)
        {
            var ofCaller = byCaller.GetValueOrDefault(caller);
            var others = clients.GetValueOrDefault(response);
            if (IsBeyond(most / 2, ofCaller, response) || (others == 0 && IsBeyond(limit, all, response)))
            {
                metrics.Refused();
                return null;
            }

            byCaller[caller] = ofCaller + response.Body.Length;
            clients[response] = others + 1;
            if (others == 0) all += response.Body.Length;
        }

        return new Unsent(this, caller, response);
    }

    // However long a response is, it is sent when there is no other one.
    private static bool IsBeyond(long limit, long bytes, CachedResponse added) =>
        bytes > 0 && bytes + added.Body.Length > limit;

    private void Remove(string caller, CachedResponse response)
    {
        lock (gate)
        {
            // A caller without responses is removed, so that many addresses take no memory.
            if ((byCaller[caller] -= response.Body.Length) == 0) byCaller.Remove(caller);
            if (--clients[response] > 0) return;
            clients.Remove(response);
            all -= response.Body.Length;
        }
    }

    private sealed class Unsent(UnsentResponses responses, string caller, CachedResponse response) : IDisposable
    {
        public void Dispose() => responses.Remove(caller, response);
    }
}
