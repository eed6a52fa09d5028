using System.Text.Json;
using System.Text.Json.Serialization;

namespace ApexShop.Queries.Api.Requests;

/// <summary>
/// The last line of an answer of lines that breaks off, which goes on behind an id, if it can. No document has a
/// member <c>error</c>.
/// </summary>
internal sealed record ErrorLine(string Code, int? After, string TraceId)
{
    public static async Task WriteAsync(HttpContext http, string code, int? after)
    {
        var line = new Dictionary<string, ErrorLine> { ["error"] = new(code, after, Problem.TraceOf(http)) };
        var bytes = JsonSerializer.SerializeToUtf8Bytes(line, ErrorLineJson.Default.DictionaryStringErrorLine);
        // A client that has gone meanwhile ends the write by itself; there is no other answer left to give it.
        await http.Response.Body.WriteAsync((byte[])[.. bytes, (byte)'\n'], CancellationToken.None);
    }
}

[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(Dictionary<string, ErrorLine>))]
internal sealed partial class ErrorLineJson : JsonSerializerContext;
