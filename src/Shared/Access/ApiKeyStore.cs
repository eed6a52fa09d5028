using System.Collections.Concurrent;
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
/// The API keys of the current configuration. A changed configuration that is not valid is refused as a whole, and the
/// previous keys stay in use.
/// </summary>
internal sealed class ApiKeyStore : IHostedService, IDisposable
{
    private readonly IOptionsFactory<ApiKeyOptions> options;
    private readonly ILogger<ApiKeyStore> logger;
    private readonly IDisposable reload;
    private readonly ConcurrentDictionary<FileConfigurationProvider, IChangeToken> unread = new();
    private volatile StoredKey[] keys;

    public ApiKeyStore(
        IOptionsFactory<ApiKeyOptions> options,
        IOptionsChangeTokenSource<ApiKeyOptions> changes,
        IConfiguration configuration,
        ILogger<ApiKeyStore> logger)
    {
        (this.options, this.logger) = (options, logger);
        keys = Read();
        foreach (var file in ((IConfigurationRoot)configuration).Providers.OfType<FileConfigurationProvider>())
            file.Source.OnLoadException = NotRead;
        reload = ChangeToken.OnChange(changes.GetChangeToken, Reload);
    }

    /// <summary>The principal of this key; null when the key is not valid.</summary>
    public ClaimsPrincipal? FindPrincipal(string key)
    {
        Span<byte> presented = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(Encoding.UTF8.GetBytes(key), presented);
        ClaimsPrincipal? principal = null;
        // Every key is compared, in constant time, so that the response time gives no information about the keys.
        foreach (var stored in keys)
        {
            if (CryptographicOperations.FixedTimeEquals(stored.Hash, presented)) principal = stored.Principal;
        }

        return principal;
    }

    // As a hosted service it is created with the host and not by the first request, so it misses no reload.
    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose() => reload.Dispose();

    // A file that is not valid JSON announces no change and has no values. Until it is valid, the keys are not
    // reloaded, also when another file changes.
    private void NotRead(FileLoadExceptionContext failed)
    {
        unread[failed.Provider] = failed.Provider.GetReloadToken();
        logger.FileNotRead(failed.Provider.Source.Path);
    }

    // Not an IOptionsMonitor, which has no value after a change that is not valid.
    private void Reload()
    {
        if (unread.FirstOrDefault(file => !file.Value.HasChanged).Key is { } missing)
        {
            logger.FileNotRead(missing.Source.Path);
            return;
        }

        try
        {
            keys = Read();
        }
        // Any exception: the reader of the file ignores it, so it would be in no log.
        catch (Exception refused)
        {
            logger.KeysRefused(refused.Message);
        }
    }

    private StoredKey[] Read() => [.. options.Create(Options.DefaultName).Keys.Select(StoredKey.Of)];

    private sealed record StoredKey(byte[] Hash, ClaimsPrincipal Principal)
    {
        public static StoredKey Of(ApiKey key) => new(Convert.FromHexString(key.Sha256), new ClaimsPrincipal(
            new ClaimsIdentity(
                [
                    new Claim(ClaimTypes.Name, key.Name),
                    .. key.Scopes.Select(scope => new Claim(ApiKeyAuthentication.ScopeClaim, scope)),
                ],
                ApiKeyAuthentication.SchemeName)));
    }
}
