using System.Security.Claims;
using System.Security.Cryptography;
using System.Text;
using System.Text.Encodings.Web;
using Microsoft.AspNetCore.Authentication;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace ApexShop.Access;

/// <summary>Reads <c>Authorization: Bearer &lt;key&gt;</c> and gives the caller the scopes of that key.</summary>
internal sealed class ApiKeyAuthentication(
    IOptionsMonitor<AuthenticationSchemeOptions> options,
    ILoggerFactory logger,
    UrlEncoder encoder,
    IOptionsMonitor<ApiKeyOptions> keys)
    : AuthenticationHandler<AuthenticationSchemeOptions>(options, logger, encoder)
{
    public const string SchemeName = "ApiKey";
    public const string ScopeClaim = "scope";

    private const string Bearer = "Bearer ";

    protected override Task<AuthenticateResult> HandleAuthenticateAsync()
    {
        var header = Request.Headers.Authorization.ToString();
        if (!header.StartsWith(Bearer, StringComparison.OrdinalIgnoreCase)) return Task.FromResult(AuthenticateResult.NoResult());

        var presented = SHA256.HashData(Encoding.UTF8.GetBytes(header[Bearer.Length..].Trim()));
        ApiKey? holder = null;
        // Every key is compared, in constant time: neither the answer's delay nor a prefix tells about the others.
        foreach (var key in keys.CurrentValue.Keys)
        {
            if (Matches(key, presented)) holder = key;
        }

        if (holder is null) return Task.FromResult(AuthenticateResult.Fail("The API key is not known."));
        var identity = new ClaimsIdentity(
            [new Claim(ClaimTypes.Name, holder.Name), .. holder.Scopes.Select(scope => new Claim(ScopeClaim, scope))],
            SchemeName);
        return Task.FromResult(AuthenticateResult.Success(new AuthenticationTicket(new ClaimsPrincipal(identity), SchemeName)));
    }

    protected override Task HandleChallengeAsync(AuthenticationProperties properties)
    {
        Response.Headers.WWWAuthenticate = "Bearer";
        return base.HandleChallengeAsync(properties);
    }

    private static bool Matches(ApiKey key, ReadOnlySpan<byte> presented)
    {
        Span<byte> known = stackalloc byte[SHA256.HashSizeInBytes];
        return key.Sha256.Length == SHA256.HashSizeInBytes * 2
            && Convert.FromHexString(key.Sha256, known, out _, out _) == System.Buffers.OperationStatus.Done
            && CryptographicOperations.FixedTimeEquals(known, presented);
    }
}
