using System.Globalization;
using System.Threading.RateLimiting;
using ApexShop.Access;
using ApexShop.Commands.Api.Limits;

namespace ApexShop.Commands.Api.Users;

/// <summary>
/// The places of callers without an API key that log in. There are as many as cores that verify passwords, so that a
/// login through the shop's own server waits for a core behind no more of them.
/// </summary>
internal sealed class LoginPlaces(LoginLimit limit) : IDisposable
{
    /// <summary>Attempts that wait for each place: about two seconds of a core.</summary>
    public const int WaitingPerCore = 40;

    private const int BusySeconds = 2;

    private readonly ConcurrencyLimiter places = new(new()
    {
        PermitLimit = HashingLimit.Cores,
        QueueLimit = WaitingPerCore * HashingLimit.Cores,
    });

    /// <summary>Counts an attempt and waits for a place, which is taken until the result is disposed of.</summary>
    public async Task<LoginPlace> TakeAsync(HttpContext http, string email, CancellationToken ct)
    {
        if (limit.Count(http, email) is > 0 and var seconds) return LoginPlace.Refused(seconds);
        if (CallerIdentity.HasKey(http)) return new LoginPlace(null, null);
        var place = await places.AcquireAsync(1, ct);
        return place.IsAcquired ? new LoginPlace(null, place) : LoginPlace.Refused(BusySeconds);
    }

    public void Dispose() => places.Dispose();
}

/// <summary>A place to log in, or after how many seconds the caller may try again.</summary>
internal sealed record LoginPlace(string? RetryAfter, IDisposable? Taken) : IDisposable
{
    public static LoginPlace Refused(long seconds) => new(seconds.ToString(CultureInfo.InvariantCulture), null);

    public void Dispose() => Taken?.Dispose();
}
