using System.Net;
using System.Text;
using ApexShop.Access;
using ApexShop.Commands.Api.Hosting;
using ApexShop.Commands.Api.Products;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;

namespace ApexShop.Commands.Api.Tests.Hosting;

public sealed class AccessMatrixTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Every_endpoint_accepts_its_scope_only()
    {
        var lines = app.Lines();
        lines.Count.ShouldBeGreaterThanOrEqualTo(19);
        lines.Select(line => line.Name).Distinct().ShouldBe(AccessMatrix.Needs.Keys, ignoreOrder: true);
        foreach (var line in lines)
        {
            foreach (var scope in Scopes.All.Append("no-such-key").Append(null))
                await ShouldBeGuardedAsync(line, scope);
        }
    }

    [Fact]
    public void The_table_of_the_docs_is_the_matrix() =>
        DocTable.ShouldBe("access.md", "| endpoint | name | needs |", [.. app.Lines().Select(line => line.Row)]);

    [Fact]
    public async Task An_endpoint_that_is_not_in_the_matrix_prevents_the_start()
    {
        await using var planted = WebApplication.CreateSlimBuilder().Build();
        planted.MapShop().MapGet("/planted", () => "open").WithName("Planted");

        Should.Throw<InvalidOperationException>(planted.CheckAccess).Message.ShouldContain("'Planted'");
    }

    [Fact]
    public async Task An_endpoint_outside_the_group_prevents_the_start_and_so_does_a_name_without_endpoint()
    {
        await using var planted = WebApplication.CreateSlimBuilder().Build();
        planted.MapGet("/planted", () => "open").WithName(nameof(CreateProduct));

        var message = Should.Throw<InvalidOperationException>(planted.CheckAccess).Message;
        message.ShouldContain("/planted");
        message.ShouldContain("is outside it");
        message.ShouldContain("DeleteProduct has no endpoint");
        message.ShouldNotContain("CreateProduct has no endpoint");
    }

    [Fact]
    public async Task A_second_method_of_a_path_is_not_covered_by_the_first()
    {
        await using var planted = WebApplication.CreateSlimBuilder().Build();
        var shop = planted.MapShop();
        shop.MapGet("/products", () => "open").WithName(nameof(CreateProduct));
        shop.MapGet("/products/all", () => "open");

        Should.Throw<InvalidOperationException>(planted.CheckAccess).Message.ShouldContain("''");
    }

    private async Task ShouldBeGuardedAsync(EndpointLine line, string? scope)
    {
        using var client = app.ClientWith(scope);
        // No endpoint accepts this body, so an authorized request changes nothing.
        using var request = new HttpRequestMessage(HttpMethod.Parse(line.Method), line.Path + "?no-such-parameter=1");
        if (!HttpMethods.IsGet(line.Method))
            request.Content = new StringContent("?", Encoding.UTF8, "application/json");
        using var response = await client.SendAsync(request);
        var answer = await Answer.ReadAsync(response);

        var what = $"{line.Method} {line.Path} with {scope ?? "no key"}: {answer.Text}";
        if (line.Needs == AccessMatrix.Public || line.Needs == scope || line.Needs == $"{scope} or customer")
        {
            answer.Status.ShouldNotBeOneOf(HttpStatusCode.Unauthorized, HttpStatusCode.Forbidden);
        }
        else if (Scopes.All.Contains(scope!))
        {
            answer.Status.ShouldBe(HttpStatusCode.Forbidden, what);
            answer.ShouldBeProblem(HttpStatusCode.Forbidden, "access.scope_missing");
        }
        else
        {
            answer.Status.ShouldBe(HttpStatusCode.Unauthorized, what);
            answer.ShouldBeProblem(HttpStatusCode.Unauthorized, "access.key_required");
            response.Headers.WwwAuthenticate.ToString().ShouldBe("Bearer");
        }
    }
}
