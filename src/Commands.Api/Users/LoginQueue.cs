using System.Threading.RateLimiting;
using ApexShop.Access;
using ApexShop.Commands.Api.Limits;

namespace ApexShop.Commands.Api.Users;

/// <summary>
/// The queue of logins without an API key. Only as many of them are verified at a time as there are cores for
/// passwords, so a login through the shop's own server waits behind at most that many of them.
/// </summary>
internal sealed class LoginQueue(LoginLimit limit) : IDisposable
{
    /// <summary>Logins that wait for each core, which verifies about twenty passwords in a second.</summary>
    public const int WaitingPerCore = 40;

    private const int BusySeconds = 2;

    private readonly ConcurrencyLimiter permits = new(new()
    {
        PermitLimit = HashingLimit.Cores,
        QueueLimit = WaitingPerCore * HashingLimit.Cores,
    });

    /// <summary>
    /// Counts an attempt and waits until its password may be verified: the permit, which is null with an API key, or
    /// the seconds to wait before another attempt. An attempt that is refused because the queue is full is not counted
    /// for its e-mail address.
    /// </summary>
    public async Task<(IDisposable? Permit, long WaitSeconds)> EnterAsync(
        HttpContext http, string email, CancellationToken ct)
    {
        var hasKey = CallerIdentity.HasKey(http);
        // A caller with an API key is the shop's own server, from which all customers log in.
        if (!hasKey && limit.CountAddress(http) is > 0 and var seconds) return (null, seconds);
        var permit = hasKey ? null : await permits.AcquireAsync(1, ct);
        if (permit is { IsAcquired: false }) return (null, BusySeconds);
        var wait = limit.CountEmail(email);
        if (wait == 0) return (permit, 0);
        permit?.Dispose();
        return (null, wait);
    }

    public void Dispose() => permits.Dispose();
}
