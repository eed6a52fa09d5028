using System.Net;
using System.Net.Http.Headers;
using System.Text.RegularExpressions;
using ApexShop.TestKit;

namespace ApexShop.Commands.Api.Tests.Access;

/// <summary>The program itself, as it is started without any key configured.</summary>
public sealed partial class DevelopmentKeyTests : IDisposable
{
    private readonly Uri url = new($"http://127.0.0.1:{Loopback.FreePort()}");
    private readonly HttpClient http = new();
    private ServerProcess? process;

    public void Dispose()
    {
        process?.Dispose();
        http.Dispose();
    }

    [Fact]
    public async Task In_Development_a_key_with_every_scope_is_printed()
    {
        await StartAsync("Development");

        await Eventually.Holds(
            () => Task.FromResult(DevelopmentKey().IsMatch(process!.Tail(100))), "the key is printed");
        http.DefaultRequestHeaders.Authorization =
            new AuthenticationHeaderValue("Bearer", DevelopmentKey().Match(process!.Tail(100)).Value);
        foreach (var path in (string[])["products", "orders", "users", "admin/seed"])
        {
            (await PostAsync(path)).ShouldBe(HttpStatusCode.BadRequest);
        }
    }

    [Fact]
    public async Task In_Production_there_is_none()
    {
        await StartAsync("Production");

        (await PostAsync("products")).ShouldBe(HttpStatusCode.Unauthorized);
        process!.Tail(100).ShouldNotContain("API key");
        DevelopmentKey().IsMatch(process!.Tail(100)).ShouldBeFalse();
    }

    private async Task StartAsync(string environment)
    {
        process = ShopPrograms.Create(ShopPrograms.Commands, "commands", new Dictionary<string, string>
        {
            ["ASPNETCORE_ENVIRONMENT"] = environment,
            ["ASPNETCORE_URLS"] = url.ToString(),
            ["ConnectionStrings__Shop"] = "Host=127.0.0.1;Port=1;Username=commands;Database=none",
            ["Outbox__Enabled"] = "false",
            ["Consistency__Key"] = TestKeys.Consistency,
        });
        process.Start();
        await process.ReadyAsync(http, $"{url}health/live", TimeSpan.FromSeconds(60));
    }

    private async Task<HttpStatusCode> PostAsync(string path)
    {
        using var content = new StringContent("?", System.Text.Encoding.UTF8, "application/json");
        using var answer = await http.PostAsync(new Uri(url, path), content);
        return answer.StatusCode;
    }

    [GeneratedRegex("dev_[0-9a-f]{40}")]
    private static partial Regex DevelopmentKey();
}
