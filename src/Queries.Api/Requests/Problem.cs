using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using ApexShop.Errors;
using Microsoft.AspNetCore.WebUtilities;

namespace ApexShop.Queries.Api.Requests;

/// <summary>An error response (RFC 9457) with a stable code and its trace id.</summary>
internal sealed record Problem(int Status, string Code, string? Detail = null)
{
    public IReadOnlyDictionary<string, string[]>? Errors { get; init; }

    public int? RetryAfterSeconds { get; init; }

    /// <summary>The value of the Link header.</summary>
    public string? Link { get; init; }

    public static Problem NotFound(string what, int id) =>
        new(StatusCodes.Status404NotFound, "document.not_found", $"There is no {what} {id}.");

    public static Problem NotFound(string what, string slug) =>
        new(StatusCodes.Status404NotFound, "document.not_found", $"There is no {what} with the slug {slug}.");

    public static Problem OwnOnly() => new(
        StatusCodes.Status403Forbidden, "access.own_only",
        "A customer's token shows only the customer's own documents.");

    public static Problem Unavailable() =>
        new(StatusCodes.Status503ServiceUnavailable, "database.unavailable", "The documents cannot be read now.")
        {
            RetryAfterSeconds = 2,
        };

    public static Problem Internal() => new(StatusCodes.Status500InternalServerError, "internal");

    public static Problem NotAcceptable(string offers) =>
        new(StatusCodes.Status406NotAcceptable, "accept.unmet", $"This endpoint answers with {offers}.");

    public static Problem TimedOut() =>
        new(StatusCodes.Status503ServiceUnavailable, "request.timeout", "The request took too long and was cancelled.")
        {
            RetryAfterSeconds = 2,
        };

    public static Problem CursorExpired() =>
        new(StatusCodes.Status410Gone, "cursor.expired", "The list was rebuilt since; start again without a cursor.");

    public static Problem ChangesExpired(string link) => new(
        StatusCodes.Status410Gone,
        "cursor.expired",
        "The documents were rebuilt since; begin without a cursor, and then discard what was not returned again.")
    {
        Link = link,
    };

    public static Problem PageTooDeep(int most, string link) => new(
        StatusCodes.Status400BadRequest,
        "page.too_deep",
        FormattableString.Invariant(
            $"At most {most} documents may be before a numbered page of this list; Link has the list's cursor."))
    {
        Link = link,
    };

    // Not a 503: the same search would take as long again, and a balancer must not take the process out of service
    // because of one caller's searches.
    public static Problem TooExpensive() => new(
        StatusCodes.Status400BadRequest,
        "search.too_expensive",
        "The search took longer than its time limit; use fewer or narrower filters, or the list's default order.");

    public static Problem SearchBusy() =>
        new(StatusCodes.Status503ServiceUnavailable, "search.busy", "All connections for such searches are in use.")
        {
            RetryAfterSeconds = 2,
        };

    public static Problem TooManyStreams(string detail = "The maximum number of streams is running.") =>
        new(StatusCodes.Status503ServiceUnavailable, "streams.busy", detail)
        {
            RetryAfterSeconds = 2,
        };

    public static Problem PurgesUnavailable() => new(
        StatusCodes.Status503ServiceUnavailable,
        "purges.unavailable",
        "This process receives no changes now, because it does not reach Redis; another one may receive them.")
    {
        RetryAfterSeconds = 2,
    };

    public static Problem Stopping() =>
        new(StatusCodes.Status503ServiceUnavailable, "process.stopping", "This process is stopping; try again.")
        {
            RetryAfterSeconds = 1,
        };

    public static Problem TooManyExports(int most, int seconds, int wait) => new(
        StatusCodes.Status429TooManyRequests,
        "rate.exceeded",
        FormattableString.Invariant($"A caller may begin {most} exports in {seconds} seconds."))
    {
        RetryAfterSeconds = wait,
    };

    /// <summary>Sends the problem whatever the client accepts, or an <see cref="UnavailablePage"/>.</summary>
    public async Task WriteAsync(HttpContext http)
    {
        var response = http.Response;
        PipelineHeaders.ClearOthers(response);
        response.StatusCode = Status;
        if (Link is not null) response.Headers["Link"] = Link;
        if (RetryAfterSeconds is { } wait) response.Headers.RetryAfter = wait.ToString(CultureInfo.InvariantCulture);
        if (UnavailablePage.Of(http) is { } page) await page.Send(http);
        else await WriteBodyAsync(http);
    }

    /// <summary>Adds the body to a response that has only a status and headers, such as a challenge.</summary>
    public async Task WriteBodyAsync(HttpContext http)
    {
        var (type, title) = (ProblemText.Usual(Status).Type, ReasonPhrases.GetReasonPhrase(Status));
        var body = JsonSerializer.SerializeToUtf8Bytes(
            new ProblemBody(type, title, Status, Detail, Code, ProblemText.TraceIdOf(http), Errors),
            ProblemJson.Default.ProblemBody);
        http.Response.Headers.CacheControl = "no-store";
        http.Response.ContentType = "application/problem+json";
        http.Response.ContentLength = body.Length;
        await http.Response.Body.WriteAsync(body, http.RequestAborted);
    }
}

internal sealed record ProblemBody(
    string Type,
    string Title,
    int Status,
    string? Detail,
    string Code,
    string TraceId,
    IReadOnlyDictionary<string, string[]>? Errors);

[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(ProblemBody))]
internal sealed partial class ProblemJson : JsonSerializerContext;
