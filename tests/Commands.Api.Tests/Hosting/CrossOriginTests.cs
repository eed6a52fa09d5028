using System.Net;
using System.Net.Http.Json;

namespace ApexShop.Commands.Api.Tests.Hosting;

/// <summary>A page of a configured origin may do what customers do.</summary>
public sealed class CrossOriginTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private const string Known = "https://shop.example";

    [Fact]
    public async Task A_page_of_a_configured_origin_may_post_and_read_the_refusal()
    {
        await using var factory = CommandsApp.Start(app.Database.Commands, ("Cors:Origins:0", Known));
        using var http = CommandsApp.Client(factory, null);
        using var allowed = await PreflightAsync(http, Known, "POST");
        allowed.StatusCode.ShouldBe(HttpStatusCode.NoContent);
        Header(allowed, "Access-Control-Allow-Origin").ShouldBe(Known);
        Header(allowed, "Access-Control-Allow-Methods").ShouldBe("POST");
        Header(allowed, "Access-Control-Allow-Headers")!.Split(',')
            .ShouldBe(["Accept", "Authorization", "Content-Type", "Idempotency-Key"], ignoreOrder: true);
        Header(allowed, "Access-Control-Allow-Credentials").ShouldBeNull();

        using var request = new HttpRequestMessage(HttpMethod.Post, "/orders") { Content = JsonContent.Create(1) };
        request.Headers.Add("Origin", Known);
        using var refused = await http.SendAsync(request);
        refused.StatusCode.ShouldBe(HttpStatusCode.Unauthorized);
        Header(refused, "Access-Control-Allow-Origin").ShouldBe(Known);
        Header(refused, "Access-Control-Expose-Headers")!.Split(',').ShouldContain("Consistency-Token");
    }

    [Theory]
    [InlineData("GET")]
    [InlineData("HEAD")]
    [InlineData("PUT")]
    [InlineData("DELETE")]
    public async Task A_page_of_a_configured_origin_may_send_no_other_method_and_read_no_response_to_it(string method)
    {
        await using var factory = CommandsApp.Start(app.Database.Commands, ("Cors:Origins:0", Known));
        using var http = CommandsApp.Client(factory, CommandsApp.Key);
        using var preflight = await PreflightAsync(http, Known, method);
        preflight.StatusCode.ShouldBe(HttpStatusCode.NoContent);
        using var request = new HttpRequestMessage(HttpMethod.Parse(method), "/limits");
        request.Headers.Add("Origin", Known);
        using var answer = await http.SendAsync(request);
        foreach (var response in (HttpResponseMessage[])[preflight, answer])
            response.Headers.ShouldAllBe(header => !header.Key.StartsWith("Access-Control-", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("https://evil.example")]
    [InlineData("http://localhost.evil.example")]
    [InlineData(Known)]
    public async Task Without_the_setting_no_page_may_send_anything(string origin)
    {
        using var http = app.ClientWith(null);
        using var answer = await PreflightAsync(http, origin, "POST");
        Header(answer, "Access-Control-Allow-Origin").ShouldBeNull();
    }

    private static async Task<HttpResponseMessage> PreflightAsync(HttpClient http, string origin, string method)
    {
        using var request = new HttpRequestMessage(HttpMethod.Options, "/orders");
        request.Headers.Add("Origin", origin);
        request.Headers.Add("Access-Control-Request-Method", method);
        request.Headers.Add("Access-Control-Request-Headers", "authorization,content-type,idempotency-key");
        return await http.SendAsync(request);
    }

    private static string? Header(HttpResponseMessage answer, string name) =>
        answer.Headers.TryGetValues(name, out var values) ? string.Join(",", values) : null;
}
