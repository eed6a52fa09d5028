using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

namespace ApexShop.Commands.Api.Commands.Idempotency;

/// <summary>The Idempotency-Key of this request, where it has one, and what became of it.</summary>
internal sealed class IdempotencyKey
{
    private byte[] key = [];

    /// <summary>SHA-256 of caller and key: what a row of the table is found by. Null without a key.</summary>
    public byte[]? Hash { get; private set; }

    /// <summary>The answer is that of an earlier request.</summary>
    public bool IsReplayed { get; set; }

    /// <summary>The first request with this key has no answer yet.</summary>
    public bool IsInProgress { get; set; }

    public void Take(string caller, string given)
    {
        key = Encoding.ASCII.GetBytes(given);
        // No key contains a line feed, so no two pairs of caller and key give the same text.
        Hash = SHA256.HashData(Encoding.UTF8.GetBytes($"{caller}\n{given}"));
    }

    /// <summary>
    /// Tells requests apart without keeping them: a keyed hash whose secret is the key itself, which is stored nowhere.
    /// A bare hash would let a reader of the table try passwords against the request that set one.
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
