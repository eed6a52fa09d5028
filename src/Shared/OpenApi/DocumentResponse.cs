using System.Buffers;
using System.Security.Cryptography;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Http;
using Microsoft.Net.Http.Headers;

namespace ApexShop.OpenApi;

/// <summary>
/// A JSON document as an HTTP response; it does not change while the process runs, so its ETag is made once.
/// </summary>
public sealed class DocumentResponse(JsonObject document)
{
    private readonly byte[] bytes = ToBytes(document);

    private EntityTagHeaderValue ETag => field ??= new($"\"{Convert.ToHexStringLower(SHA256.HashData(bytes))[..16]}\"");

    public static byte[] ToBytes(JsonObject document)
    {
        var bytes = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(bytes, new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping }))
        {
            document.WriteTo(json);
        }

        return bytes.WrittenSpan.ToArray();
    }

    public IResult ToHttp() => TypedResults.Bytes(bytes, "application/json", entityTag: ETag);
}
