using System.Text.Json.Nodes;
using ApexShop.TestKit.OpenApi;

namespace ApexShop.Queries.Api.Tests.OpenApi;

/// <summary>What a generated client, a linter and the page at /docs need from the document.</summary>
public sealed class GeneratedClientTests(DescribedShop shop) : IClassFixture<DescribedShop>
{
    [Fact]
    public async Task The_document_has_a_server_and_a_licence()
    {
        var document = (await DescriptionAsync()).Json;

        document["servers"]!.AsArray().ShouldNotBeEmpty();
        ((string?)document["info"]!["license"]!["identifier"]).ShouldBe("MIT");
    }

    [Fact]
    public async Task Every_operation_says_whether_it_needs_a_key() => (await DescriptionAsync()).Operations
        .ShouldAllBe(operation => operation.Json["security"] is JsonArray);

    [Fact]
    public async Task No_amount_is_a_multiple_of_a_floating_point_number() =>
        (await DescriptionAsync()).Objects().ShouldAllBe(one => !one.Object.ContainsKey("multipleOf"));

    [Fact]
    public async Task The_page_fills_in_no_header_by_itself() => (await DescriptionAsync()).Operations
        .SelectMany(operation => operation.Parameters).Where(parameter => (string?)parameter["in"] == "header")
        .ShouldAllBe(header => !header.ContainsKey("example") && !header.ContainsKey("examples"));

    private Task<ApiDescription> DescriptionAsync() => ApiDescription.ReadAsync(shop.Http);
}
