using System.Security.Claims;
using System.Security.Cryptography;
using System.Text;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;

namespace ApexShop.Access;

/// <summary>
/// The keys as the configuration has them now. A changed configuration that is not valid is refused as a whole: what was
/// known before stays.
/// </summary>
internal sealed class ApiKeyStore : IHostedService, IDisposable
{
    private readonly IConfiguration configuration;
    private readonly IValidateOptions<ApiKeyOptions> validator;
    private readonly ILogger<ApiKeyStore> logger;
    private readonly IDisposable reload;
    private volatile StoredKey[] keys;

    public ApiKeyStore(
        IConfiguration configuration, IOptions<ApiKeyOptions> first, IValidateOptions<ApiKeyOptions> validator, ILogger<ApiKeyStore> logger)
    {
        (this.configuration, this.validator, this.logger) = (configuration, validator, logger);
        keys = [.. first.Value.Keys.Select(StoredKey.Of)];
        reload = ChangeToken.OnChange(configuration.GetReloadToken, Reload);
    }

    /// <summary>Who holds this key; null if nobody does.</summary>
    public ClaimsPrincipal? FindPrincipal(string key)
    {
        Span<byte> presented = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(Encoding.UTF8.GetBytes(key), presented);
        ClaimsPrincipal? holder = null;
        // Every key is compared, in constant time: neither the answer's delay nor a prefix tells about the others.
        foreach (var known in keys)
        {
            if (CryptographicOperations.FixedTimeEquals(known.Hash, presented)) holder = known.Holder;
        }

        return holder;
    }

    // Made when the host starts, and not by the first request: no change in between is missed.
    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose() => reload.Dispose();

    private void Reload()
    {
        var changed = new ApiKeyOptions();
        configuration.GetSection(ApiKeyOptions.Section).Bind(changed);
        var validity = validator.Validate(null, changed);
        if (validity.Failed) logger.KeysRefused(validity.FailureMessage);
        else keys = [.. changed.Keys.Select(StoredKey.Of)];
    }

    private sealed record StoredKey(byte[] Hash, ClaimsPrincipal Holder)
    {
        public static StoredKey Of(ApiKey key) => new(Convert.FromHexString(key.Sha256), new ClaimsPrincipal(new ClaimsIdentity(
            [
                new Claim(ClaimTypes.Name, key.Name),
                .. key.Scopes.Select(scope => new Claim(ApiKeyAuthentication.ScopeClaim, scope)),
            ],
            ApiKeyAuthentication.SchemeName)));
    }
}
