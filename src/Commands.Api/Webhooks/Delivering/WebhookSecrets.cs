using System.Security.Cryptography;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Webhooks.Delivering;

/// <summary>
/// The secrets that sign deliveries. They are derived from one key and a random number of the webhook, so that neither
/// the database nor a backup contains one.
/// </summary>
internal sealed class WebhookSecrets
{
    private const string Prefix = "whsec_";
    private const int KeyIdLength = 8;

    private static readonly byte[] purpose = "ApexShop webhook secret\n"u8.ToArray();

    private readonly byte[] key;

    public WebhookSecrets(IOptions<WebhookOptions> options)
    {
        key = Convert.FromBase64String(options.Value.Key);
        KeyId = SHA256.HashData([.. purpose, .. key])[..KeyIdLength];
    }

    /// <summary>
    /// Names the key without revealing it. A shop that was restored elsewhere has another key, and sends nothing to the
    /// receivers of the first one.
    /// </summary>
    public byte[] KeyId { get; }

    /// <summary>The bytes of a secret.</summary>
    public byte[] Of(Guid secretId)
    {
        byte[] content = [.. purpose, .. secretId.ToByteArray(bigEndian: true)];
        return HMACSHA256.HashData(key, content);
    }

    /// <summary>A secret as its owner enters it at the receiver.</summary>
    public string TextOf(Guid secretId) => Prefix + Convert.ToBase64String(Of(secretId));
}
