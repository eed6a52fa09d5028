using System.Net;

namespace ApexShop.Commands.Api.Tests.Hosting;

public sealed class HealthTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Names_each_dependency_without_asking_for_a_key()
    {
        using var client = app.ClientWith(null);
        using var live = await client.GetAsync("/health/live");
        using var ready = await client.GetAsync("/health/ready");

        live.StatusCode.ShouldBe(HttpStatusCode.OK);
        ready.StatusCode.ShouldBe(HttpStatusCode.OK);
        var body = (await Answer.ReadAsync(ready)).Body;
        body.GetProperty("status").GetString().ShouldBe("ready");
        body.GetProperty("checks").GetProperty("postgres").GetString().ShouldBe("ok");
    }
}
