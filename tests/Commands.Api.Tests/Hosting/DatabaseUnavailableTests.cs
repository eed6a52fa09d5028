using System.Net;
using System.Text;

namespace ApexShop.Commands.Api.Tests.Hosting;

public sealed class DatabaseUnavailableTests : IAsyncLifetime
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
    [InlineData("POST", "/users", """{"email":"a@b.example","firstName":"A","lastName":"B","password":"12345678"}""")]
    [InlineData("POST", "/reviews", """{"productId":1,"userId":1,"rating":5}""")]
    [InlineData("POST", "/categories/bulk", """[{"name":"x"}]""")]
    [InlineData(
        "POST", "/users/bulk", """[{"email":"a@b.example","firstName":"A","lastName":"B","password":"12345678"}]""")]
    [InlineData("PUT", "/reviews/bulk", """[{"id":1,"rating":5}]""")]
    [InlineData("DELETE", "/products/bulk", "[1]")]
    [InlineData("PATCH", "/products/bulk-update-stock", """{"categoryId":1,"stock":1}""")]
    [InlineData("DELETE", "/orders/bulk-delete-old?olderThanDays=30", null)]
    [InlineData("DELETE", "/reviews/product/1/bulk-delete-old?olderThanDays=30", null)]
    [InlineData("PATCH", "/users/bulk-deactivate-inactive?inactiveDays=30", null)]
    [InlineData("GET", "/events", null)]
    public async Task Commands_respond_with_503_and_Retry_After(string method, string path, string? body)
    {
        using var request = new HttpRequestMessage(HttpMethod.Parse(method), path);
        if (body is not null) request.Content = new StringContent(body, Encoding.UTF8, "application/json");
        // With an Idempotency-Key, which is read before the command runs.
        if (method is "POST" or "PATCH") request.Headers.Add("Idempotency-Key", "unavailable");
        using var response = await http!.SendAsync(request);

        response.Headers.RetryAfter!.Delta.ShouldNotBeNull();
        var answer = await Answer.ReadAsync(response);
        answer.ShouldBeProblem(HttpStatusCode.ServiceUnavailable, "database.unavailable");
        answer.Text.ShouldNotContain("secret_name");
        answer.Text.ShouldNotContain("Npgsql");
    }

    [Fact]
    public async Task The_process_is_alive_and_not_ready()
    {
        using var live = await http!.GetAsync("/health/live");
        using var ready = await http.GetAsync("/health/ready");

        live.StatusCode.ShouldBe(HttpStatusCode.OK);
        ready.StatusCode.ShouldBe(HttpStatusCode.ServiceUnavailable);
        var body = (await Answer.ReadAsync(ready)).Body;
        body.GetProperty("status").GetString().ShouldBe("not ready");
        body.GetProperty("checks").GetProperty("postgres").GetString().ShouldBe("unavailable");
    }
}
