using System.Net.Http.Json;
using System.Text;
using System.Text.Json.Nodes;
using ApexShop.Commands.Api.Commands.Idempotency;
using ApexShop.Consistency;

namespace ApexShop.Commands.Api.Tests.Commands.Idempotency;

/// <summary>An answer with the headers that a repeated request is about.</summary>
internal sealed record KeyedResponse(Answer Answer, string? Token, bool Replayed, TimeSpan? RetryAfter)
{
    /// <summary>Given again, and not different in a byte: status, body, Location, ETag, Consistency-Token.</summary>
    public void ShouldRepeat(KeyedResponse first)
    {
        Replayed.ShouldBeTrue(Answer.Text);
        Answer.ShouldBe(first.Answer);
        Token.ShouldBe(first.Token);
    }

    /// <summary>The same for a refusal, where the trace id is that of the request at hand.</summary>
    public void ShouldRepeatProblem(KeyedResponse first)
    {
        Replayed.ShouldBeTrue(Answer.Text);
        (Answer with { Text = WithoutTrace(Answer.Text) })
            .ShouldBe(first.Answer with { Text = WithoutTrace(first.Answer.Text) });
        Token.ShouldBeNull();
    }

    private static string WithoutTrace(string problem)
    {
        var members = JsonNode.Parse(problem)!.AsObject();
        members.Remove("traceId").ShouldBeTrue();
        return members.ToJsonString();
    }
}

internal static class KeyedRequests
{
    extension(CommandsApp app)
    {
        public Task<KeyedResponse> PostKeyedAsync(string key, string path, object body) =>
            app.Http.SendKeyedAsync(key, HttpMethod.Post, path, body);

        /// <summary>The body as it stands.</summary>
        public Task<KeyedResponse> SendTextAsync(string key, string path, string json) =>
            app.Http.SendKeyedAsync(
                key, HttpMethod.Post, path, new StringContent(json, Encoding.UTF8, "application/json"));

        public Task<long> CountAsync(string table) => app.ScalarAsync<long>($"SELECT count(*) FROM shop.{table}");
    }

    public static Task<KeyedResponse> SendKeyedAsync(
        this HttpClient http, string key, HttpMethod method, string path, object body) =>
        http.SendKeyedAsync(key, method, path, JsonContent.Create(body));

    private static async Task<KeyedResponse> SendKeyedAsync(
        this HttpClient http, string key, HttpMethod method, string path, HttpContent content)
    {
        using var request = new HttpRequestMessage(method, path) { Content = content };
        request.Headers.Add(IdempotencyHeader.Name, key);
        using var response = await http.SendAsync(request);
        return new KeyedResponse(
            await Answer.ReadAsync(response),
            response.Headers.TryGetValues(ConsistencyToken.Header, out var tokens) ? tokens.Single() : null,
            response.Headers.TryGetValues(IdempotencyHeader.Replayed, out var replayed) && replayed.Single() == "true",
            response.Headers.RetryAfter?.Delta);
    }
}
