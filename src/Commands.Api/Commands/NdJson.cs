using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Json;

namespace ApexShop.Commands.Api.Commands;

/// <summary>Newline-delimited JSON: one value per line.</summary>
internal static class NdJson
{
    public const string ContentType = MediaTypes.NdJson;

    public static async Task WriteAsync<T>(
        HttpResponse response, IEnumerable<T> lines, JsonTypeInfo<T> json, CancellationToken ct)
    {
        response.ContentType = ContentType;
        foreach (var line in lines)
        {
            await JsonSerializer.SerializeAsync(response.Body, line, json, ct);
            await response.WriteAsync("\n", ct);
        }
    }
}

/// <summary>Metadata of an endpoint whose response is NDJSON: the types of its lines.</summary>
internal sealed record NdJsonMetadata(params Type[] Lines);
