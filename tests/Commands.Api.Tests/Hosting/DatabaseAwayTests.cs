using System.Net;
using System.Text;

namespace ApexShop.Commands.Api.Tests.Hosting;

public sealed class DatabaseAwayTests : IAsyncLifetime
{
    private readonly Microsoft.AspNetCore.Mvc.Testing.WebApplicationFactory<Program> api =
        CommandsApp.Start("Host=127.0.0.1;Port=1;Username=commands;Database=secret_name;Timeout=2");

    private HttpClient? http;

    public Task InitializeAsync()
    {
        http = CommandsApp.Client(api, CommandsApp.Key);
        return Task.CompletedTask;
    }

    public async Task DisposeAsync()
    {
        http!.Dispose();
        await api.DisposeAsync();
    }

    [Theory]
    [InlineData("POST", "/categories", """{"name":"x"}""")]
    [InlineData("PUT", "/categories/1", """{"name":"x"}""")]
    [InlineData("DELETE", "/orders/1", null)]
    [InlineData("POST", "/orders", """{"userId":1,"shippingAddress":"x","items":[{"productId":1,"quantity":1}]}""")]
    public async Task Commands_are_answered_with_503_and_when_to_come_back(string method, string path, string? body)
    {
        using var request = new HttpRequestMessage(HttpMethod.Parse(method), path);
        if (body is not null) request.Content = new StringContent(body, Encoding.UTF8, "application/json");
        using var response = await http!.SendAsync(request);

        response.Headers.RetryAfter!.Delta.ShouldNotBeNull();
        var answer = await Answer.ReadAsync(response);
        answer.ShouldBeProblem(HttpStatusCode.ServiceUnavailable, "database.away");
        answer.Text.ShouldNotContain("secret_name");
        answer.Text.ShouldNotContain("Npgsql");
    }

    [Fact]
    public async Task The_process_lives_and_is_not_ready()
    {
        using var live = await http!.GetAsync("/health/live");
        using var ready = await http.GetAsync("/health/ready");

        live.StatusCode.ShouldBe(HttpStatusCode.OK);
        ready.StatusCode.ShouldBe(HttpStatusCode.ServiceUnavailable);
        var body = (await Answer.ReadAsync(ready)).Body;
        body.GetProperty("status").GetString().ShouldBe("not ready");
        body.GetProperty("checks").GetProperty("postgres").GetString().ShouldBe("away");
    }
}
