using System.Globalization;
using System.Text.Json.Nodes;
using ApexShop.Errors;
using Microsoft.AspNetCore.WebUtilities;

namespace ApexShop.Queries.Api.OpenApi;

/// <summary>An answer for each status that refuses, with the codes of the catalogue that come with it.</summary>
internal static class ProblemAnswers
{
    private const string TraceId = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

    private static readonly int[] statuses = [400, 401, 403, 404, 406, 410, 429, 500, 503];

    public static JsonObject Components() => Json.Members(statuses.Select(status => (NameOf(status), (JsonNode)Answer(status))));

    public static IEnumerable<(string Status, JsonNode Answer)> Of(IEnumerable<int> statuses) =>
        statuses.Select(status => (status.ToString(CultureInfo.InvariantCulture), (JsonNode)Json.Reference("responses", NameOf(status))));

    private static string NameOf(int status) => string.Create(CultureInfo.InvariantCulture, $"Problem{status}");

    private static JsonObject Answer(int status)
    {
        var codes = ErrorCatalogue.Both.Concat(ErrorCatalogue.Queries).Where(code => code.Status == status).ToList();
        return new JsonObject
        {
            ["description"] = string.Join(' ', codes.Select(code => $"`{code.Code}`: {code.When}")),
            ["headers"] = AnswerHeaders.References([.. AnswerHeaders.Rate, "Cache-Control", .. Hints(status)]),
            ["content"] = new JsonObject
            {
                ["application/problem+json"] = new JsonObject
                {
                    ["schema"] = Json.Schema(EnvelopeSchemas.Problem),
                    ["example"] = new JsonObject
                    {
                        ["title"] = ReasonPhrases.GetReasonPhrase(status),
                        ["status"] = status,
                        ["code"] = codes[^1].Code,
                        ["traceId"] = TraceId,
                    },
                },
            },
        };
    }

    private static string[] Hints(int status) => status switch
    {
        401 => ["WWW-Authenticate"],
        429 or 503 => ["Retry-After"],
        _ => [],
    };
}
