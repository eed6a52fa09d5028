using System.Net;
using System.Net.Http.Json;
using System.Net.Sockets;
using System.Text.Json.Nodes;
using ApexShop.Projector.Hosting;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Npgsql;

namespace ApexShop.Projector.Tests.Hosting;

public sealed class ProblemMembersTests
{
    [Theory]
    [InlineData("28P01")]
    [InlineData("28000")]
    [InlineData("3D000")]
    [InlineData("57P03")]
    [InlineData("42501")]
    [InlineData("55000")]
    public async Task A_refused_login_is_an_unavailable_database(string sqlState)
    {
        var refused = Refused("FATAL", sqlState);

        var problem = await ProblemOfAsync(refused, HttpStatusCode.ServiceUnavailable);

        ((string?)problem["code"]).ShouldBe("database.unavailable");
        ((string?)problem["type"]).ShouldNotBeNullOrEmpty();
    }

    [Theory]
    [InlineData(typeof(SocketException))]
    [InlineData(typeof(TimeoutException))]
    public async Task A_database_whose_address_is_not_resolved_is_unavailable(Type thrown)
    {
        var failure = (Exception)Activator.CreateInstance(thrown)!;

        var problem = await ProblemOfAsync(failure, HttpStatusCode.ServiceUnavailable);

        ((string?)problem["code"]).ShouldBe("database.unavailable");
    }

    [Fact]
    public async Task A_refused_statement_is_an_error_of_the_server()
    {
        var refused = Refused("ERROR", "42501");

        var problem = await ProblemOfAsync(refused, HttpStatusCode.InternalServerError);

        ((string?)problem["code"]).ShouldBe("internal");
    }

    private static PostgresException Refused(string severity, string sqlState) =>
        new("refused", severity, severity, sqlState);

    private static async Task<JsonNode> ProblemOfAsync(Exception failure, HttpStatusCode status)
    {
        var builder = WebApplication.CreateBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Services.AddProblems();
        await using var app = builder.Build();
        app.UseExceptionHandler();
        app.Run(_ => throw failure);
        await app.StartAsync();
        using var http = new HttpClient { BaseAddress = new Uri(app.Urls.First()) };
        http.DefaultRequestHeaders.Add("Accept", "text/csv");
        using var response = await http.GetAsync("/");

        response.StatusCode.ShouldBe(status);
        response.Content.Headers.ContentType!.MediaType.ShouldBe("application/problem+json");
        return (await response.Content.ReadFromJsonAsync<JsonNode>())!;
    }
}
