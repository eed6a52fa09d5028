using ApexShop.Access;
using ApexShop.Limits;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Limits;

/// <summary>Limits the attempts to log in: with one e-mail address, and from one network address.</summary>
internal sealed class LoginLimit(IOptions<LimitOptions> limits, TimeProvider clock)
{
    private readonly AttemptRateLimit byEmail = new(limits.Value.SessionEmailRate, clock);
    private readonly AttemptRateLimit byAddress = new(limits.Value.SessionAddressRate, clock);

    /// <summary>Counts an attempt; the seconds to wait when it is refused, else 0.</summary>
    public long Count(HttpContext http, string email)
    {
        // A caller with an API key is the shop's own server, from which all customers log in.
        var wait = CallerIdentity.HasKey(http) ? 0 : byAddress.Count(CallerIdentity.Of(http));
        return wait > 0 ? wait : byEmail.Count(EmailAddress.Folded(email));
    }
}
