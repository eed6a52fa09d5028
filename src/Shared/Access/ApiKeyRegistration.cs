using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace ApexShop.Access;

/// <summary>API keys as authentication, scopes as authorization policies.</summary>
public static class ApiKeyRegistration
{
    /// <summary>Adds key authentication and one policy a scope, named like it.</summary>
    public static IServiceCollection AddApiKeys(this IServiceCollection services, IConfiguration configuration)
    {
        services.AddOptions<ApiKeyOptions>().Bind(configuration.GetSection(ApiKeyOptions.Section)).ValidateOnStart();
        services.AddSingleton<IValidateOptions<ApiKeyOptions>, ApiKeyOptionsValidator>();
        services.AddSingleton<ApiKeyStore>();
        services.AddHostedService(provider => provider.GetRequiredService<ApiKeyStore>());
        // The core alone: the full registration adds Data Protection, which writes a key ring that nothing here uses.
        services.AddAuthenticationCore(options =>
        {
            options.DefaultScheme = ApiKeyAuthentication.SchemeName;
            options.AddScheme<ApiKeyAuthentication>(ApiKeyAuthentication.SchemeName, null);
        });
        services.AddWebEncoders();
        services.TryAddSingleton(TimeProvider.System);
        services.AddTransient<ApiKeyAuthentication>();
        var authorization = services.AddAuthorizationBuilder();
        foreach (var scope in Scopes.All)
        {
            authorization.AddPolicy(scope, policy => policy.RequireClaim(ApiKeyAuthentication.ScopeClaim, scope));
        }

        return services;
    }

    /// <summary>The endpoint needs a key with <paramref name="scope"/>: 401 without a known key, 403 without the scope.</summary>
    public static TBuilder RequireScope<TBuilder>(this TBuilder builder, string scope)
        where TBuilder : IEndpointConventionBuilder => builder.RequireAuthorization(scope);

    /// <summary>
    /// In Development, where no key is configured, makes one with every scope and prints it. Elsewhere a process
    /// without keys simply has no caller who may do anything.
    /// </summary>
    public static void AddDevelopmentKey(this IHostApplicationBuilder builder)
    {
        if (!builder.Environment.IsDevelopment() || builder.Configuration.GetSection("Access:Keys").GetChildren().Any()) return;

        var key = "dev_" + Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(20));
        // Under a name of its own, which no index of a file that is written later meets.
        const string at = $"{ApiKeyOptions.Section}:Keys:development";
        var settings = Scopes.All.Index().ToDictionary(scope => $"{at}:Scopes:{scope.Index}", string? (scope) => scope.Item);
        settings[$"{at}:Name"] = "development";
        settings[$"{at}:Sha256"] = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(key)));
        builder.Configuration.AddInMemoryCollection(settings);
        Console.WriteLine($"No API key is configured; for this run in Development: {key}");
    }
}
