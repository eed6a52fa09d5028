using System.Collections.Concurrent;
using System.Globalization;
using ApexShop.Access;
using Microsoft.AspNetCore.Http;

namespace ApexShop.Limits;

/// <summary>
/// How often a caller may call: by the name of the key, without a known one by address. Every answer tells how much is
/// left (RateLimit-Policy and RateLimit of draft-ietf-httpapi-ratelimit-headers).
/// </summary>
public sealed class CallerRateLimiter(RateOptions keys, RateOptions anonymous, TimeProvider clock)
{
    public const string PolicyHeader = "RateLimit-Policy";
    public const string StateHeader = "RateLimit";

    // So many callers are kept before those who have all their requests back are forgotten.
    private const int KeptCallers = 10_000;

    private readonly RatePolicy ofKey = new("key", keys, clock.TimestampFrequency);
    private readonly RatePolicy ofAddress = new("anonymous", anonymous, clock.TimestampFrequency);
    private readonly ConcurrentDictionary<string, Account> accounts = new(StringComparer.Ordinal);
    private int known;

    /// <summary>Counts the request and says in its answer what is left; false when the caller has to wait.</summary>
    public bool Pass(HttpContext http)
    {
        var policy = http.User.Identity is { IsAuthenticated: true } ? ofKey : ofAddress;
        var taken = Take(CallerIdentity.Of(http), policy);
        var headers = http.Response.Headers;
        headers[PolicyHeader] = policy.Policy;
        headers[StateHeader] = policy.StateAt(taken.UntilFull);
        if (taken.RetryAfterSeconds == 0) return true;

        headers.RetryAfter = taken.RetryAfterSeconds.ToString(CultureInfo.InvariantCulture);
        http.Response.StatusCode = StatusCodes.Status429TooManyRequests;
        return false;
    }

    /// <summary>How many callers are kept.</summary>
    internal int Known => accounts.Count;

    private RateDecision Take(string caller, RatePolicy policy)
    {
        while (true)
        {
            if (!accounts.TryGetValue(caller, out var account)) account = Open(caller);
            if (policy.Take(ref account.FullAt, clock.GetTimestamp()) is { } taken) return taken;
        }
    }

    private Account Open(string caller)
    {
        if (Interlocked.Increment(ref known) % KeptCallers == 0) ForgetRested();
        return accounts.GetOrAdd(caller, static _ => new Account());
    }

    // A caller with nothing to pay back is as good as a new one.
    private void ForgetRested()
    {
        var now = clock.GetTimestamp();
        foreach (var (caller, account) in accounts)
        {
            var fullAt = Volatile.Read(ref account.FullAt);
            if (fullAt > now || Interlocked.CompareExchange(ref account.FullAt, RatePolicy.Closed, fullAt) != fullAt) continue;
            accounts.TryRemove(new(caller, account));
        }
    }

    private sealed class Account
    {
        public long FullAt;
    }
}
