using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using ApexShop.Commands.Api.Commands;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>The problem of a request that cannot be read; it contains no name of an internal type.</summary>
internal static partial class RequestErrors
{
    public static Problem ToProblem(BadHttpRequestException refused) => refused switch
    {
        { InnerException: JsonException json } => OfJson(json),
        _ when UnreadParameter().Match(refused.Message) is { Success: true } unread => OfParameter(unread),
        _ => Problem.Of(refused.StatusCode),
    };

    private static Problem OfParameter(Match unread) => Problem.Invalid(
        unread.Groups["name"].Value,
        unread.Groups["missing"].Success ? "The parameter is required." : "The parameter has the wrong type.");

    private static Problem OfJson(JsonException json)
    {
        var position = string.Create(
            CultureInfo.InvariantCulture, $"line {json.LineNumber + 1}, byte {json.BytePositionInLine + 1}");
        // The reader's exception inside: the text is not JSON. Otherwise a member does not fit the body's type.
        return json.InnerException is JsonException
            ? new(400, "request.malformed", $"The body is not valid JSON, or nested too deep: {position}.")
            : Problem.Invalid(JsonPath.OfJson(json), $"Unknown, duplicate, or of the wrong type ({position}).");
    }

    // The framework names a parameter that it could not bind only in its message.
    [GeneratedRegex(
        """^(Failed to bind|(?<missing>Required)) parameter "[^"]*?(?<name>\w+)" """
        + """(from "|was not provided from (route or )?query string)""",
        RegexOptions.ExplicitCapture)]
    private static partial Regex UnreadParameter();
}
