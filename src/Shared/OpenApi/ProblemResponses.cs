using System.Text.Json.Nodes;
using ApexShop.Errors;
using ApexShop.Limits;

namespace ApexShop.OpenApi;

/// <summary>
/// The error responses of an OpenAPI document, one for each status, with the codes that the catalogue has for it.
/// </summary>
/// <param name="problems">By the name of the response: its example, and its headers beside those of the rate.</param>
/// <param name="codes">The codes of the API.</param>
public sealed class ProblemResponses(JsonObject problems, IReadOnlyCollection<ErrorCode> codes)
{
    /// <summary>The headers of every response to a request that counts towards a rate.</summary>
    public static IReadOnlyList<string> RateHeaders { get; } =
        [CallerRateLimiter.StateHeader, CallerRateLimiter.PolicyHeader];

    public JsonObject Components() =>
        new(problems.Select(problem => KeyValuePair.Create(problem.Key, (JsonNode?)Response(problem.Value!))));

    public JsonObject Reference(int status) =>
        ComponentReferences.To(
            "responses", problems.First(problem => (int)problem.Value!["example"]!["status"]! == status).Key);

    private JsonObject Response(JsonNode problem)
    {
        var example = problem["example"]!;
        var headers = problem["headers"]?.AsArray().Select(header => (string)header!) ?? [];
        var own = codes.Where(code => code.Status == (int)example["status"]!);
        return new JsonObject
        {
            ["description"] = string.Join(' ', own.Select(code => $"`{code.Code}`: {code.When}")),
            ["headers"] = ComponentReferences.ToHeaders([.. RateHeaders, .. headers]),
            ["content"] = new JsonObject
            {
                ["application/problem+json"] = new JsonObject
                {
                    ["schema"] = ComponentReferences.ToSchema("Problem"),
                    ["example"] = example.DeepClone(),
                },
            },
        };
    }
}
