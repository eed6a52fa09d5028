using System.Security.Cryptography;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.Net.Http.Headers;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>The API's description as it is served: made once, since it cannot change while the process runs.</summary>
internal sealed class ApiDocument([FromKeyedServices(OpenApiRegistration.Document)] IOpenApiDocumentProvider provider)
{
    private volatile Text? made;

    public async Task<IResult> ServeAsync(CancellationToken ct)
    {
        var text = made ??= await MakeAsync(ct);
        return TypedResults.Bytes(text.Json, "application/json", entityTag: text.Tag);
    }

    private async Task<Text> MakeAsync(CancellationToken ct)
    {
        var document = await provider.GetOpenApiDocumentAsync(ct);
        using var json = new MemoryStream();
        await document.SerializeAsJsonAsync(json, OpenApiSpecVersion.OpenApi3_1, ct);
        var bytes = json.ToArray();
        return new Text(bytes, new EntityTagHeaderValue($"\"{Convert.ToHexStringLower(SHA256.HashData(bytes))[..16]}\""));
    }

    private sealed record Text(byte[] Json, EntityTagHeaderValue Tag);
}
