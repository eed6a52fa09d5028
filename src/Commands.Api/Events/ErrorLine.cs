using System.Text.Json;
using System.Text.Json.Serialization;
using ApexShop.Errors;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// The last line of an interrupted response: the reason, and the position to resume after. No event has a member
/// <c>error</c>.
/// </summary>
internal sealed record ErrorLine(string Code, long After, string TraceId)
{
    /// <summary>Further members, such as those of the problem with this code.</summary>
    [JsonExtensionData]
    public Dictionary<string, object?>? Members { get; init; }

    public static async Task WriteAsync(HttpContext http, string code, long after)
    {
        await http.Response.Body.WriteAsync(
            (byte[])[.. Serialize(http, code, after), (byte)'\n'], http.RequestAborted);
    }

    public static byte[] Serialize(
        HttpContext http, string code, long after, Dictionary<string, object?>? members = null)
    {
        var error = new ErrorLine(code, after, ProblemText.TraceIdOf(http)) { Members = members };
        return JsonSerializer.SerializeToUtf8Bytes(new { error }, JsonSerializerOptions.Web);
    }
}
