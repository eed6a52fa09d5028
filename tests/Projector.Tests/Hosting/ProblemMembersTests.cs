using System.Net;
using System.Net.Http.Json;
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
        var problem = await ProblemOfAsync("FATAL", sqlState, HttpStatusCode.ServiceUnavailable);

        ((string?)problem["code"]).ShouldBe("database.unavailable");
        ((string?)problem["type"]).ShouldNotBeNullOrEmpty();
    }

    [Fact]
    public async Task A_refused_statement_is_an_error_of_the_server()
    {
        var problem = await ProblemOfAsync("ERROR", "42501", HttpStatusCode.InternalServerError);

        ((string?)problem["code"]).ShouldBe("internal");
    }

    private static async Task<JsonNode> ProblemOfAsync(string severity, string sqlState, HttpStatusCode status)
    {
        var builder = WebApplication.CreateBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Services.AddProblems();
        await using var app = builder.Build();
        app.UseExceptionHandler();
        app.Run(_ => throw new PostgresException("refused", severity, severity, sqlState));
        await app.StartAsync();
        using var http = new HttpClient { BaseAddress = new Uri(app.Urls.First()) };
        http.DefaultRequestHeaders.Add("Accept", "text/csv");
        using var response = await http.GetAsync("/");

        response.StatusCode.ShouldBe(status);
        response.Content.Headers.ContentType!.MediaType.ShouldBe("application/problem+json");
        return (await response.Content.ReadFromJsonAsync<JsonNode>())!;
    }
}
