using System.Globalization;
using System.Threading.RateLimiting;
using ApexShop.Access;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using Microsoft.AspNetCore.Http.HttpResults;

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
    /// Counts an attempt and waits until its password may be verified. An attempt that is refused because the queue is
    /// full is not counted for its e-mail address.
    /// </summary>
    public async Task<LoginAttempt> EnterAsync(HttpContext http, string email, CancellationToken ct)
    {
        var hasKey = CallerIdentity.HasKey(http);
        // A caller with an API key is the shop's own server, from which all customers log in.
        if (!hasKey && limit.CountAddress(http) is > 0 and var seconds) return new(null, seconds);
        var permit = hasKey ? null : await permits.AcquireAsync(1, ct);
        if (permit is { IsAcquired: false }) return new(null, BusySeconds);
        var wait = limit.CountEmail(email);
        if (wait == 0) return new(permit, 0);
        permit?.Dispose();
        return new(null, wait);
    }

    public void Dispose() => permits.Dispose();
}

/// <summary>An attempt to log in, with its permit until it is disposed of, or with the seconds to wait.</summary>
internal sealed record LoginAttempt(IDisposable? Permit, long WaitSeconds) : IDisposable
{
    /// <summary>The response to a caller that must wait; null to all others.</summary>
    public ProblemHttpResult? Refuse(HttpContext http)
    {
        if (WaitSeconds == 0) return null;
        http.Response.Headers.RetryAfter = WaitSeconds.ToString(CultureInfo.InvariantCulture);
        return CommandResponses.ToHttp(Problem.Of(StatusCodes.Status429TooManyRequests));
    }

    public void Dispose() => Permit?.Dispose();
}
