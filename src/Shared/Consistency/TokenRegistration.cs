using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace ApexShop.Consistency;

/// <summary>The services of the tokens.</summary>
public static class TokenRegistration
{
    /// <summary>
    /// Adds <see cref="ConsistencyTokens"/>. No environment has a default key: a known one would let clients sign.
    /// </summary>
    public static void AddConsistencyTokens(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<TokenOptions, TokenOptionsValidator>()
            .BindConfiguration(TokenOptions.Section);
        services.AddSingleton(provider =>
            new ConsistencyTokens(provider.GetRequiredService<IOptions<TokenOptions>>().Value.Key));
    }
}
