using System.Text.Json;
using System.Text.Json.Serialization;
using ApexShop.Errors;

namespace ApexShop.Queries.Api.Requests;

/// <summary>
/// The last line of an export that failed: the error, and the id after which a new export can continue, if it can. No
/// document has a member <c>error</c>.
/// </summary>
internal sealed record ErrorLine(string Code, int? After, string TraceId)
{
    public static async Task WriteAsync(HttpContext http, string code, int? after)
    {
        var line = new Dictionary<string, ErrorLine> { ["error"] = new(code, after, ProblemText.TraceIdOf(http)) };
        var bytes = JsonSerializer.SerializeToUtf8Bytes(line, ErrorLineJson.Default.DictionaryStringErrorLine);
        // If the client disconnects, the write ends by itself; there is no other way to report the error.
        await http.Response.Body.WriteAsync((byte[])[.. bytes, (byte)'\n'], CancellationToken.None);
    }
}

[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(Dictionary<string, ErrorLine>))]
internal sealed partial class ErrorLineJson : JsonSerializerContext;
