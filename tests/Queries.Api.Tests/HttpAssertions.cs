using System.Net;
using System.Text.Json;

namespace ApexShop.Queries.Api.Tests;

/// <summary>Assertions about responses.</summary>
internal static class HttpAssertions
{
    public static async Task<JsonElement> JsonAsync(this HttpClient http, string path)
    {
        using var answer = await http.GetAsync(path);
        answer.StatusCode.ShouldBe(HttpStatusCode.OK, await answer.Content.ReadAsStringAsync());
        return JsonElement.Parse(await answer.Content.ReadAsByteArrayAsync());
    }

    public static async Task<HttpResponseMessage> GetAsync(
        this HttpClient http, string path, string header, string value)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        request.Headers.TryAddWithoutValidation(header, value).ShouldBeTrue();
        return await http.SendAsync(request);
    }

    /// <summary>
    /// The response is a problem with this status and code, and contains nothing about the implementation.
    /// </summary>
    public static async Task<JsonElement> ShouldBeProblemAsync(
        this HttpResponseMessage answer, HttpStatusCode status, string code)
    {
        var text = await answer.Content.ReadAsStringAsync();
        answer.StatusCode.ShouldBe(status, text);
        answer.Content.Headers.ContentType!.MediaType.ShouldBe("application/problem+json");
        string[] inside = ["SELECT", "Npgsql", "relation", "Host=", "127.0.0.1", "   at ", "password"];
        foreach (var word in inside) text.ShouldNotContain(word, Case.Insensitive);

        var problem = JsonElement.Parse(text);
        problem.GetProperty("status").GetInt32().ShouldBe((int)status);
        problem.GetProperty("code").GetString().ShouldBe(code);
        problem.GetProperty("traceId").GetString().ShouldNotBeNullOrEmpty();
        return problem;
    }

    public static string[] Named(this JsonElement problem) =>
        [.. problem.GetProperty("errors").EnumerateObject().Select(error => error.Name)];
}
