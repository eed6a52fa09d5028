using System.Text.Json;

namespace ApexShop.Client;

/// <summary>A refusal by the shop, after all retries.</summary>
public sealed class ShopProblemException(ShopProblem problem, TimeSpan? retryAfter = null)
    : Exception($"{problem.Status} {problem.Code}: {problem.Detail ?? problem.Title}{Reasons(problem)}")
{
    /// <summary>The whole body, with the members that only some codes have.</summary>
    public ShopProblem Problem => problem;

    public int Status => problem.Status;

    /// <summary>A code of docs/errors.md. In a response of a proxy: empty, or a code of the proxy.</summary>
    public string Code => problem.Code;

    /// <summary>A short text for people. In a response of a proxy it may be the text of the HTTP status.</summary>
    public string Title => problem.Title;

    public string? Detail => problem.Detail;

    /// <summary>What is wrong with each field, by JSON path, or with each parameter, by its name.</summary>
    public IReadOnlyDictionary<string, IReadOnlyList<string>> Errors => problem.Errors;

    /// <summary>
    /// Names the request in the logs and traces of the shop. In a response of a proxy it may be empty.
    /// </summary>
    public string TraceId => problem.TraceId;

    /// <summary>How long to wait before another request, from <c>Retry-After</c>.</summary>
    public TimeSpan? RetryAfter => retryAfter;

    internal static async Task<ShopProblemException> ReadAsync(
        HttpResponseMessage response, DateTimeOffset now, CancellationToken ct)
    {
        var after = response.Headers.RetryAfter;
        var wait = after?.Delta ?? (after?.Date is { } date ? date - now : null);
        // A date may be in the past by this machine's clock.
        return new(await ProblemAsync(response, ct), wait < TimeSpan.Zero ? TimeSpan.Zero : wait);
    }

    private static string Reasons(ShopProblem problem) =>
        string.Concat(problem.Errors.Select(error => $" {error.Key}: {string.Join(' ', error.Value)}"));

    private static async Task<ShopProblem> ProblemAsync(HttpResponseMessage response, CancellationToken ct)
    {
        var text = await response.Content.ReadAsByteArrayAsync(ct);
        var other = new ShopProblem("about:blank", response.ReasonPhrase ?? "", (int)response.StatusCode, "", "");
        try
        {
            if (response.Content.Headers.ContentType?.MediaType == "application/problem+json"
                && JsonSerializer.Deserialize(text, ShopJson.Default.ShopProblem) is { Code: not null } problem)
            {
                // Each member that is declared as required may be missing in the problem of a proxy.
                return problem with
                {
                    Type = problem.Type ?? other.Type,
                    Title = problem.Title ?? other.Title,
                    Status = other.Status,
                    TraceId = problem.TraceId ?? other.TraceId,
                };
            }
        }
        catch (JsonException)
        {
            // A response that was changed on its way still has a status.
        }

        return other;
    }
}
