using System.Security.Claims;
using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace ApexShop.Access;

/// <summary>API keys as authentication, scopes as authorization policies.</summary>
public static class ApiKeyRegistration
{
    /// <summary>Adds the authentication by API key, and for each scope a policy with the scope's name.</summary>
    public static void AddApiKeys(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<ApiKeyOptions, ApiKeyOptionsValidator>()
            .BindConfiguration(ApiKeyOptions.Section);
        services.AddSingleton<ApiKeyStore>();
        services.AddHostedService(provider => provider.GetRequiredService<ApiKeyStore>());
        // AddAuthentication would also add Data Protection, which writes a key ring that nothing here uses.
        services.AddAuthenticationCore(options =>
        {
            options.DefaultScheme = ApiKeyAuthentication.SchemeName;
            options.AddScheme<ApiKeyAuthentication>(ApiKeyAuthentication.SchemeName, null);
        });
        // It would write a line for each request with a wrong key, also for those that the rate limit refuses.
        services.AddLogging(logs => logs.AddFilter(typeof(ApiKeyAuthentication).FullName, LogLevel.Warning));
        services.AddWebEncoders();
        services.TryAddSingleton(TimeProvider.System);
        services.AddTransient<ApiKeyAuthentication>();
        var authorization = services.AddAuthorizationBuilder();
        foreach (var scope in Scopes.All)
        {
            authorization.AddPolicy(scope, policy => policy.RequireClaim(ApiKeyAuthentication.ScopeClaim, scope));
            authorization.AddPolicy(Scopes.OrCustomer(scope), policy => policy.RequireAssertion(
                context => context.User.HasScope(scope) || Customer.IdOf(context.User) is not null));
        }
    }

    /// <summary>Adds the authentication by the tokens of customers to that by API key.</summary>
    public static void AddCustomerTokens(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<SessionOptions, SessionOptionsValidator>()
            .BindConfiguration(SessionOptions.Section);
        services.AddSingleton<CustomerTokens>();
    }

    /// <summary>Requires a key with <paramref name="scope"/>: 401 without a valid key, 403 without the scope.</summary>
    public static TBuilder RequireScope<TBuilder>(this TBuilder builder, string scope)
        where TBuilder : IEndpointConventionBuilder => builder.RequireAuthorization(scope);

    /// <summary>Whether the caller's key has the scope.</summary>
    public static bool HasScope(this ClaimsPrincipal caller, string scope) =>
        caller.HasClaim(ApiKeyAuthentication.ScopeClaim, scope);

    /// <summary>
    /// The caller as its API key is configured now; null when it was removed. For requests that have no end.
    /// </summary>
    public static ClaimsPrincipal? FindCaller(this HttpContext http) =>
        ApiKeyAuthentication.CredentialOf(http.Request) is { } given
            ? http.RequestServices.GetRequiredService<ApiKeyStore>().FindPrincipal(given)
            : null;

    /// <summary>
    /// The status with which a key that was removed since (401), or has lost the endpoint's scope (403), is refused;
    /// null while the request may go on. For requests that have no end, of endpoints that permit no customers.
    /// </summary>
    public static int? FindRefusal(this HttpContext http)
    {
        if (http.FindCaller() is not { } caller) return StatusCodes.Status401Unauthorized;
        var scope = http.GetEndpoint()!.Metadata.GetRequiredMetadata<IAuthorizeData>().Policy!;
        return caller.HasScope(scope) ? null : StatusCodes.Status403Forbidden;
    }

    /// <summary>
    /// In Development, when no key is configured, creates a key with every scope and prints it. In other environments
    /// a process without keys refuses every request that needs a scope.
    /// </summary>
    public static void AddDevelopmentKey(this IHostApplicationBuilder builder)
    {
        var keys = builder.Configuration.GetSection($"{ApiKeyOptions.Section}:{nameof(ApiKeyOptions.Keys)}");
        if (!builder.Environment.IsDevelopment() || keys.GetChildren().Any()) return;

        var key = "dev_" + Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(20));
        // A name instead of an index: a configuration file that is added later cannot overwrite parts of this key.
        const string at = $"{ApiKeyOptions.Section}:Keys:development";
        var settings = Scopes.All.Index()
            .ToDictionary(scope => $"{at}:Scopes:{scope.Index}", string? (scope) => scope.Item);
        settings[$"{at}:Name"] = "development";
        settings[$"{at}:Sha256"] = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(key)));
        builder.Configuration.AddInMemoryCollection(settings);
        Console.WriteLine($"No API key is configured; for this run in Development: {key}");
    }
}
