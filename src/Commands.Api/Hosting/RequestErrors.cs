using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using ApexShop.Commands.Api.Results;
using ApexShop.Errors;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>A request that could not be read, in words that name the place and no type of ours.</summary>
internal static partial class RequestErrors
{
    public static Problem ToProblem(BadHttpRequestException refused) => refused switch
    {
        { InnerException: JsonException json } => OfJson(json),
        _ when UnreadParameter().Match(refused.Message) is { Success: true } unread => OfParameter(unread),
        _ => Refused(refused.StatusCode),
    };

    private static Problem OfParameter(Match unread) => Problem.Invalid(
        unread.Groups["name"].Value, unread.Groups["missing"].Success ? "The parameter is required." : "The parameter is not of its type.");

    private static Problem Refused(int status)
    {
        var refusal = ProblemText.Of(status);
        return new(status, refusal.Code, refusal.Detail);
    }

    private static Problem OfJson(JsonException json)
    {
        var place = string.Create(CultureInfo.InvariantCulture, $"line {json.LineNumber + 1}, byte {json.BytePositionInLine + 1}");
        // The reader's own exception inside: the text is no JSON at all. Otherwise a member does not fit the body.
        return json.InnerException is JsonException
            ? new(StatusCodes.Status400BadRequest, "request.malformed", $"The body is not valid JSON, or nested too deep: {place}.")
            : Problem.Invalid(Member(json.Path), $"Unknown, written twice, or of the wrong type ({place}).");
    }

    // Written as the validation's errors are: the member alone, and $ for the body itself.
    private static string Member(string? path) => path switch
    {
        null or "$" => "$",
        ['$', '.', .. var member] => member,
        ['$', .. var rest] => rest,
        _ => path,
    };

    // The framework gives the name of a parameter that it could not bind in its message only.
    [GeneratedRegex("""^(Failed to bind|(?<missing>Required)) parameter "[^"]*?(?<name>\w+)" (from "|was not provided from query string)""", RegexOptions.ExplicitCapture)]
    private static partial Regex UnreadParameter();
}
