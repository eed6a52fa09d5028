using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using ApexShop.Commands.Api.Commands;
using ApexShop.Errors;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>The problem answers that operations share, each with what it means and one that was really given.</summary>
internal static class ProblemAnswers
{
    private static readonly Dictionary<string, (string Name, string Meaning, Problem Example)> answers = new()
    {
        ["400"] = ("Invalid", "The request cannot be read, or what it says is not valid: `errors` names the places.",
            Problem.Invalid("price", "The field Price must be between 0 and 9999999999999999.99, with at most two decimals.")),
        ["401"] = ("NoKey", "No API key, or one that is not known.", Refused(401)),
        ["403"] = ("NoScope", "The key does not have the scope for this.", Refused(403)),
        ["404"] = ("NotFound", "There is no such resource.", Problem.NotFound("product", 17)),
        ["408"] = ("TooSlow", "The body did not arrive in time.", Refused(408)),
        ["409"] = ("Conflict", "The request contradicts what is there; `code` tells how, and where rows stand in the way `blockedBy` names the first of them. With `idempotency.in_progress` Retry-After says when to ask again.",
            Problem.ReferencedBy("category.has_products", "Category 1 has products.", "products", [1, 2, 3])),
        ["412"] = ("VersionMismatch", "If-Match does not name the current version; `version` is that one.", Problem.VersionMismatch(3)),
        ["413"] = ("TooLarge", "The body has too many bytes, or too many items; GET /limits tells how many it may have.", Refused(413)),
        ["415"] = ("UnsupportedType", "The body's content type is not one of those named here.", Refused(415)),
        ["422"] = ("KeyReused", "The Idempotency-Key was used for another request.",
            new(422, "idempotency.key_reused", "This Idempotency-Key was used for another request.")),
        ["429"] = ("TooMany", "Too many requests with this key.", Refused(429)),
        ["500"] = ("Failed", "A failure of ours; the log has it under the `traceId`.", Refused(500)),
        ["503"] = ("Unavailable", "What this needs is unavailable, or took too long. Nothing was changed.",
            new(503, "database.unavailable", "The database does not answer; try again soon.")),
    };

    public static string NameOf(string status) => answers[status].Name;

    public static void AddTo(OpenApiDocument document, JsonSerializerOptions json)
    {
        foreach (var (status, (name, meaning, example)) in answers)
        {
            document.AddComponent<IOpenApiResponse>(name, new OpenApiResponse
            {
                Description = $"{meaning} Codes: {CodesOf(status)}.",
                Headers = Headers(status).ToDictionary(header => header, IOpenApiHeader (header) => new OpenApiHeaderReference(header, document)),
                Content = new Dictionary<string, OpenApiMediaType>
                {
                    ["application/problem+json"] = new()
                    {
                        Schema = new OpenApiSchemaReference(ProblemSchema.Name, document),
                        Example = Written(example, json),
                    },
                },
            });
        }
    }

    private static IEnumerable<string> Headers(string status) => status switch
    {
        "401" => [AnswerHeaders.Rate, AnswerHeaders.RatePolicy, AnswerHeaders.Challenge],
        "409" => [AnswerHeaders.Rate, AnswerHeaders.RatePolicy, AnswerHeaders.Replayed],
        "429" or "503" => [AnswerHeaders.Rate, AnswerHeaders.RatePolicy, AnswerHeaders.RetryAfter],
        _ => [AnswerHeaders.Rate, AnswerHeaders.RatePolicy],
    };

    private static string CodesOf(string status) => string.Join(", ", ErrorCatalogue.Both.Concat(ErrorCatalogue.Commands).Concat(ErrorCatalogue.Projector)
        .Where(known => known.Status.ToString(CultureInfo.InvariantCulture) == status).Select(known => $"`{known.Code}`"));

    private static Problem Refused(int status)
    {
        var refusal = ProblemText.Of(status);
        return new(status, refusal.Code, refusal.Detail);
    }

    private static JsonObject Written(Problem problem, JsonSerializerOptions json)
    {
        var text = JsonSerializer.SerializeToNode(Answers.ToHttp(problem).ProblemDetails, json)!.AsObject();
        text["type"] ??= ProblemMembers.DefaultType;
        text["traceId"] = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        return text;
    }
}
