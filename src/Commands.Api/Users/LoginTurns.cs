using System.Globalization;
using System.Threading.RateLimiting;
using ApexShop.Access;
using ApexShop.Commands.Api.Limits;

namespace ApexShop.Commands.Api.Users;

/// <summary>
/// The turns in which callers without an API key log in. Only so many of them wait for a core that verifies passwords
/// as there are such cores, so that a login through the shop's own server waits behind no more of them.
/// </summary>
internal sealed class LoginTurns(LoginLimit limit) : IDisposable
{
    /// <summary>Attempts that wait for each core: about two seconds of its time.</summary>
    public const int WaitingPerCore = 40;

    private const int BusySeconds = 2;

    private readonly ConcurrencyLimiter turns = new(new()
    {
        PermitLimit = HashingLimit.Cores,
        QueueLimit = WaitingPerCore * HashingLimit.Cores,
    });

    /// <summary>Counts an attempt and waits for its turn, which lasts until the result is disposed of.</summary>
    public async Task<LoginTurn> TakeAsync(HttpContext http, string email, CancellationToken ct)
    {
        if (limit.Count(http, email) is > 0 and var seconds) return LoginTurn.Refused(seconds);
        if (CallerIdentity.HasKey(http)) return new LoginTurn(null, null);
        var turn = await turns.AcquireAsync(1, ct);
        return turn.IsAcquired ? new LoginTurn(null, turn) : LoginTurn.Refused(BusySeconds);
    }

    public void Dispose() => turns.Dispose();
}

/// <summary>A turn to log in, or after how many seconds the caller may try again.</summary>
internal sealed record LoginTurn(string? RetryAfter, IDisposable? Place) : IDisposable
{
    public static LoginTurn Refused(long seconds) => new(seconds.ToString(CultureInfo.InvariantCulture), null);

    public void Dispose() => Place?.Dispose();
}
