using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

namespace ApexShop.Commands.Api.Commands.Idempotency;

/// <summary>The Idempotency-Key of this request, if it has one, and whether the key was used before.</summary>
internal sealed class IdempotencyKey
{
    private byte[] key = [];

    /// <summary>SHA-256 of caller and key, the primary key of the table; null without a key.</summary>
    public byte[]? Hash { get; private set; }

    /// <summary>The response is that of an earlier request.</summary>
    public bool IsReplayed { get; set; }

    /// <summary>The first request with this key has not finished.</summary>
    public bool IsInProgress { get; set; }

    public void Set(string caller, string given)
    {
        key = Encoding.ASCII.GetBytes(given);
        // No key contains a line feed, so no two pairs of caller and key give the same text.
        Hash = SHA256.HashData(Encoding.UTF8.GetBytes($"{caller}\n{given}"));
    }

    /// <summary>
    /// Identifies a request without storing it: a keyed hash with the Idempotency-Key, which is not stored, as the
    /// secret. A plain hash would let a reader of the table test passwords against a request that set one.
    /// </summary>
    public byte[] HashOf<TRequest>(TRequest request, JsonSerializerOptions json)
    {
        using var hmac = new HMACSHA256(key);
        using (var stream = new CryptoStream(Stream.Null, hmac, CryptoStreamMode.Write))
        {
            stream.Write(Encoding.UTF8.GetBytes($"{typeof(TRequest).FullName}\n"));
            JsonSerializer.Serialize(stream, request, json);
        }

        return hmac.Hash!;
    }
}
