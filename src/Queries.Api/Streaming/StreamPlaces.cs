using ApexShop.Access;
using ApexShop.Queries.Api.Requests;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>
/// Limits how many streams and exports are sent at a time: of all callers, of all callers without a key, and of each
/// caller. A stream keeps its place until it ends, however many callers come later.
/// </summary>
internal sealed class StreamPlaces(IOptions<StreamingOptions> streaming, StreamMetrics metrics)
{
    private readonly StreamingOptions options = streaming.Value;
    private readonly Dictionary<string, int> byCaller = new(StringComparer.Ordinal);
    private readonly Lock gate = new();
    private int all;
    private int withoutKey;

    public RequestDelegate Limit(RequestDelegate stream) => async http =>
    {
        var caller = CallerIdentity.Of(http);
        var hasKey = CallerIdentity.HasKey(http);
        if (!TryTake(caller, hasKey))
        {
            metrics.Refused();
            await Problem.TooManyStreams().WriteAsync(http);
            return;
        }

        try
        {
            await stream(http);
        }
        finally
        {
            Free(caller, hasKey);
        }
    };

    private bool TryTake(string caller, bool hasKey)
    {
        lock (gate)
        {
            var taken = byCaller.GetValueOrDefault(caller);
            if (all >= options.Concurrent || taken >= options.ConcurrentOfCaller) return false;
            if (!hasKey && withoutKey >= options.ConcurrentWithoutKey) return false;
            byCaller[caller] = taken + 1;
            all++;
            if (!hasKey) withoutKey++;
            return true;
        }
    }

    private void Free(string caller, bool hasKey)
    {
        lock (gate)
        {
            // A caller without streams is removed, so that many addresses take no memory.
            if (--byCaller[caller] == 0) byCaller.Remove(caller);
            all--;
            if (!hasKey) withoutKey--;
        }
    }
}
