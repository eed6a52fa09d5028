using System.Collections.Concurrent;
using System.Globalization;
using ApexShop.Access;
using Microsoft.AspNetCore.Http;

namespace ApexShop.Limits;

/// <summary>
/// Limits the request rate of each caller (<see cref="CallerIdentity"/>). Every response has the headers
/// RateLimit-Policy and RateLimit of draft-ietf-httpapi-ratelimit-headers.
/// </summary>
public sealed class CallerRateLimiter(RateOptions keys, RateOptions anonymous, TimeProvider clock)
{
    public const string PolicyHeader = "RateLimit-Policy";
    public const string StateHeader = "RateLimit";

    // After this many new callers, those whose burst is whole again are removed.
    private const int CallersBetweenCleanups = 10_000;

    private readonly RatePolicy ofKey = new("key", keys, clock.TimestampFrequency);
    private readonly RatePolicy ofAddress = new("anonymous", anonymous, clock.TimestampFrequency);
    private readonly ConcurrentDictionary<string, CallerState> callers = new(StringComparer.Ordinal);
    private int added;

    /// <summary>Counts the request and sets the headers; false when the request is refused, with status 429.</summary>
    public bool Pass(HttpContext http)
    {
        var policy = CallerIdentity.HasKey(http) ? ofKey : ofAddress;
        var decision = Count(CallerIdentity.Of(http), policy);
        var headers = http.Response.Headers;
        headers[PolicyHeader] = policy.Header;
        headers[StateHeader] = policy.StateAt(decision.UntilFull);
        if (decision.RetryAfterSeconds == 0) return true;

        headers.RetryAfter = decision.RetryAfterSeconds.ToString(CultureInfo.InvariantCulture);
        http.Response.StatusCode = StatusCodes.Status429TooManyRequests;
        return false;
    }

    internal int CallerCount => callers.Count;

    private RateDecision Count(string caller, RatePolicy policy)
    {
        while (true)
        {
            if (!callers.TryGetValue(caller, out var state)) state = Add(caller);
            if (policy.Count(ref state.FullAt, clock.GetTimestamp()) is { } decision) return decision;
        }
    }

    private CallerState Add(string caller)
    {
        if (Interlocked.Increment(ref added) % CallersBetweenCleanups == 0) RemoveIdle();
        return callers.GetOrAdd(caller, static _ => new CallerState());
    }

    // A caller whose burst is whole has the same rights as a new one.
    private void RemoveIdle()
    {
        var now = clock.GetTimestamp();
        foreach (var (caller, state) in callers)
        {
            var fullAt = Volatile.Read(ref state.FullAt);
            if (fullAt > now || !Remove(state, fullAt)) continue;
            callers.TryRemove(new(caller, state));
        }
    }

    private static bool Remove(CallerState state, long fullAt) =>
        Interlocked.CompareExchange(ref state.FullAt, RatePolicy.Removed, fullAt) == fullAt;

    private sealed class CallerState
    {
        public long FullAt;
    }
}
