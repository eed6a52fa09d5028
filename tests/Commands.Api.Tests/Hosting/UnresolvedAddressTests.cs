using System.Net;
using System.Net.Http.Json;
using System.Net.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Hosting;

/// <summary>The driver does not wrap these exceptions when the address of the server is not resolved.</summary>
public sealed class UnresolvedAddressTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Theory]
    [InlineData(typeof(TimeoutException))]
    [InlineData(typeof(SocketException))]
    public async Task It_is_503_like_every_other_unavailable_database(Type failure)
    {
        var builder = new NpgsqlDataSourceBuilder(app.Database.Commands);
        builder.UsePhysicalConnectionInitializer(_ => throw Failure(), _ => throw Failure());
        await using var unresolved = builder.Build();
        await using var parent = CommandsApp.Start(app.Database.Commands);
        await using var factory = parent.WithWebHostBuilder(host => host.ConfigureServices(services =>
            services.AddSingleton(unresolved)));
        factory.UseKestrel();
        using var http = CommandsApp.Client(factory, CommandsApp.Key);

        using var response = await http.PostAsJsonAsync("/categories", new { name = "Lamps" });

        response.Headers.RetryAfter.ShouldNotBeNull().Delta.ShouldNotBeNull();
        (await Answer.ReadAsync(response))
            .ShouldBeProblem(HttpStatusCode.ServiceUnavailable, "database.unavailable");

        Exception Failure() => (Exception)Activator.CreateInstance(failure)!;
    }
}
