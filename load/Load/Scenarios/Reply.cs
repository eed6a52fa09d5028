using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using ApexShop.Load.Running;

namespace ApexShop.Load.Scenarios;

/// <summary>
/// A complete response of the shop with the checks of a scenario. The first failed check is its problem.
/// </summary>
internal sealed class Reply : Response
{
    private static readonly JsonElement nothing = JsonElement.Parse("{}");

    private Reply(HttpStatusCode status, byte[] body, string? token)
        : base(((int)status).ToString(System.Globalization.CultureInfo.InvariantCulture), body.Length)
    {
        Status = status;
        Token = token;
        Json = body.Length > 0 && (body[0] == '{' || body[0] == '[') ? JsonElement.Parse(body) : nothing;
    }

    public HttpStatusCode Status { get; }

    /// <summary>The consistency token with which a query sees this change.</summary>
    public string? Token { get; }

    /// <summary>The body, or an empty object without one.</summary>
    public JsonElement Json { get; }

    public int Id => Json.Number("id");

    /// <summary>The documents of a page.</summary>
    public IReadOnlyList<JsonElement> Data =>
        Json.TryGetProperty("data", out var data) ? [.. data.EnumerateArray()] : [];

    public static async Task<Reply> OfAsync(HttpResponseMessage response, CancellationToken ct)
    {
        var token = response.Headers.TryGetValues("Consistency-Token", out var values) ? values.First() : null;
        return new Reply(response.StatusCode, await response.Content.ReadAsByteArrayAsync(ct), token);
    }

    /// <summary>The problem contains the shop's error code.</summary>
    public Reply Expect(HttpStatusCode status)
    {
        var code = Json.ValueKind == JsonValueKind.Object && Json.TryGetProperty("code", out var value)
            ? value.ToString()
            : "";
        return Check(
            Status == status,
            $"status {(int)Status} {code} instead of {(int)status}".Replace("  ", " ", StringComparison.Ordinal));
    }

    public Reply Check(bool holds, string problem)
    {
        if (!holds) Problem ??= problem;
        return this;
    }

    /// <summary>Checks that a page is not empty and that all its documents meet the condition.</summary>
    public Reply ExpectPage(Func<JsonElement, bool>? each = null)
    {
        Expect(HttpStatusCode.OK);
        if (Problem is not null) return this;
        var data = Data;
        return Check(data.Count > 0, "the page is empty")
            .Check(data.All(one => one.Number("id") > 0), "a document has no id")
            .Check(each is null || data.All(each), "a document does not belong on the page");
    }

    public Reply ExpectDocument(int id)
    {
        Expect(HttpStatusCode.OK);
        return Problem is null ? Check(Id == id, "the document has another id") : this;
    }

    public Reply ExpectCreated()
    {
        Expect(HttpStatusCode.Created);
        return Problem is null
            ? Check(Id > 0, "the response has no id").Check(Token is not null, "the response has no Consistency-Token")
            : this;
    }

    /// <summary>A body as JSON, for requests.</summary>
    public static JsonContent Content(object body) => JsonContent.Create(body);
}

internal static class JsonExtensions
{
    extension(JsonElement element)
    {
        /// <summary>A whole number, or 0 without one.</summary>
        public int Number(string name) =>
            element.ValueKind == JsonValueKind.Object
                && element.TryGetProperty(name, out var value)
                && value.TryGetInt32(out var number)
                ? number
                : 0;

        public string? Text(string name) =>
            element.ValueKind == JsonValueKind.Object && element.TryGetProperty(name, out var value)
                ? value.ToString()
                : null;

        /// <summary>The id of a reference inside a document, or 0.</summary>
        public int Reference(string name) =>
            element.ValueKind == JsonValueKind.Object && element.TryGetProperty(name, out var value)
                ? value.Number("id")
                : 0;
    }
}
