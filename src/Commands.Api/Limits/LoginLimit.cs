using ApexShop.Access;
using ApexShop.Limits;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Limits;

/// <summary>Limits the attempts to log in: with one e-mail address, and from one network address.</summary>
internal sealed class LoginLimit(IOptions<LimitOptions> limits, TimeProvider clock)
{
    private readonly AttemptRateLimit byEmail = new(limits.Value.SessionEmailRate, clock);
    private readonly AttemptRateLimit byAddress = new(limits.Value.SessionAddressRate, clock);

    /// <summary>Counts an attempt from an address; the seconds to wait when it is refused, else 0.</summary>
    public long CountAddress(HttpContext http) => byAddress.Count(CallerIdentity.Of(http));

    /// <summary>Counts an attempt with an e-mail address; the seconds to wait when it is refused, else 0.</summary>
    public long CountEmail(string email) => byEmail.Count(EmailAddress.Folded(email));
}
