using System.Net;
using Microsoft.AspNetCore.Mvc.Testing;

namespace ApexShop.Commands.Api.Tests.Hosting;

public sealed class RefusedDatabaseLoginTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Theory]
    [InlineData("Password=wrong")]
    [InlineData("Username=unknown_role;Password=wrong")]
    [InlineData("Database=no_such_database")]
    // A database without ALLOW_CONNECTIONS.
    [InlineData("Database=template0")]
    public async Task A_refused_login_is_503_like_every_other_unavailable_database(string instead)
    {
        await using var factory = CommandsApp.Start($"{app.Database.Commands};{instead}");

        await ShouldBeUnavailableAsync(factory);
    }

    [Fact]
    public async Task A_role_without_the_right_to_connect_is_the_same()
    {
        await using var factory = CommandsApp.Start(app.Database.Commands);
        await app.ScalarAsync<object>($"REVOKE CONNECT ON DATABASE {app.Database.Name} FROM commands");
        try
        {
            await ShouldBeUnavailableAsync(factory);
        }
        finally
        {
            await app.ScalarAsync<object>($"GRANT CONNECT ON DATABASE {app.Database.Name} TO commands");
        }
    }

    private static async Task ShouldBeUnavailableAsync(WebApplicationFactory<Program> factory)
    {
        using var http = CommandsApp.Client(factory, CommandsApp.Key);
        foreach (var (method, path) in new[]
        {
            (HttpMethod.Delete, "/orders/1"), (HttpMethod.Get, "/events"),
            (HttpMethod.Patch, "/users/bulk-deactivate-inactive?inactiveDays=30"),
        })
        {
            using var request = new HttpRequestMessage(method, path);
            using var response = await http.SendAsync(request);

            (await Answer.ReadAsync(response))
                .ShouldBeProblem(HttpStatusCode.ServiceUnavailable, "database.unavailable");
            response.Headers.RetryAfter!.Delta.ShouldNotBeNull();
        }
    }
}
