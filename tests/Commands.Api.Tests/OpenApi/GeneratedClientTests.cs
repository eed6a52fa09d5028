using System.Text.Json.Nodes;
using ApexShop.TestKit.OpenApi;

namespace ApexShop.Commands.Api.Tests.OpenApi;

/// <summary>What a generated client, a linter and the page at /docs need from the document.</summary>
public sealed class GeneratedClientTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Theory]
    [InlineData("SetStockByCategory", """{"categoryId":1,"stock":5}""", true)]
    [InlineData("SetStockByCategory", """{"categoryId":1,"delta":-5}""", true)]
    [InlineData("SetStockByCategory", """{"categoryId":1}""", false)]
    [InlineData("SetStockByCategory", """{"categoryId":1,"stock":5,"delta":1}""", false)]
    [InlineData("SetStock", """{"stock":5}""", true)]
    [InlineData("SetStock", """{"delta":-5}""", true)]
    [InlineData("SetStock", "{}", false)]
    [InlineData("SetStock", """{"stock":5,"delta":1}""", false)]
    public async Task The_schema_of_a_stock_change_has_either_stock_or_delta(string name, string body, bool fits)
    {
        var check = new SchemaCheck(await DescriptionAsync());
        var schema = new JsonObject { ["$ref"] = $"#/components/schemas/{name}" };

        check.Errors(schema, JsonNode.Parse(body)).Any().ShouldBe(!fits);
    }

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

    [Theory]
    [InlineData("/openapi/v1.json", "ProductInput")]
    [InlineData("/asyncapi.json", "ProductState")]
    public async Task No_amount_is_a_multiple_of_a_floating_point_number(string path, string schema)
    {
        var document = JsonNode.Parse(await app.Http.GetStringAsync(path))!.AsObject();

        new ApiDescription(document).Objects().ShouldAllBe(one => !one.Object.ContainsKey("multipleOf"));
        ((string?)document["components"]!["schemas"]![schema]!["properties"]!["price"]!["type"]).ShouldBe("number");
    }

    [Fact]
    public async Task The_page_fills_in_no_header_by_itself() => (await DescriptionAsync()).Operations
        .SelectMany(operation => operation.Parameters).Where(parameter => (string?)parameter["in"] == "header")
        .ShouldAllBe(header => !header.ContainsKey("example") && !header.ContainsKey("examples"));

    private Task<ApiDescription> DescriptionAsync() => ApiDescription.ReadAsync(app.Http);
}
