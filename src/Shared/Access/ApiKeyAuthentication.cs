using System.Text.Encodings.Web;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace ApexShop.Access;

/// <summary>
/// Reads <c>Authorization: Bearer</c> with an API key, which gives the caller its scopes, or with a customer's token,
/// in the processes that read such tokens.
/// </summary>
internal sealed class ApiKeyAuthentication(
    IOptionsMonitor<AuthenticationSchemeOptions> options,
    ILoggerFactory logger,
    UrlEncoder encoder,
    ApiKeyStore keys,
    CustomerTokens? tokens = null)
    : AuthenticationHandler<AuthenticationSchemeOptions>(options, logger, encoder)
{
    public const string SchemeName = "ApiKey";
    public const string ScopeClaim = "scope";

    private const string Bearer = "Bearer ";

    /// <summary>The key or token of a request; null without one.</summary>
    public static string? CredentialOf(HttpRequest request)
    {
        var header = request.Headers.Authorization.ToString();
        return header.StartsWith(Bearer, StringComparison.OrdinalIgnoreCase) ? header[Bearer.Length..].Trim() : null;
    }

    protected override Task<AuthenticateResult> HandleAuthenticateAsync()
    {
        if (CredentialOf(Request) is not { } given) return Task.FromResult(AuthenticateResult.NoResult());
        return Task.FromResult((keys.FindPrincipal(given) ?? tokens?.FindPrincipal(given)) is { } principal
            ? AuthenticateResult.Success(new AuthenticationTicket(principal, SchemeName))
            : AuthenticateResult.Fail("The API key or token is not valid."));
    }

    protected override Task HandleChallengeAsync(AuthenticationProperties properties)
    {
        Response.Headers.WWWAuthenticate = "Bearer";
        return base.HandleChallengeAsync(properties);
    }
}
