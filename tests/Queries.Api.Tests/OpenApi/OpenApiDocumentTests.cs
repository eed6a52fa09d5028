using System.Text.Json.Nodes;
using ApexShop.Errors;
using ApexShop.Queries.Api.OpenApi;
using ApexShop.Queries.Api.Resources;
using ApexShop.TestKit;
using ApexShop.TestKit.OpenApi;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Queries.Api.Tests.OpenApi;

public sealed class OpenApiDocumentTests(DescribedShop shop) : IClassFixture<DescribedShop>
{
    private sealed record Line(string Method, string Path, string Name, string Needs);

    [Fact]
    public async Task Every_endpoint_is_described_under_its_name_with_what_it_needs_and_nothing_else_is()
    {
        var described = (await DescriptionAsync()).Operations.Select(operation => new Line(
            operation.Method,
            operation.Path,
            operation.Method == "HEAD" ? operation.Id[..^"Head".Length] : operation.Id,
            Needs(operation.Json["security"]!.AsArray())));

        described.ShouldBe(Lines(), ignoreOrder: true);
        Lines().Count.ShouldBeGreaterThan(60);
    }

    [Fact]
    public void The_table_of_the_docs_has_every_endpoint() => DocTable.ShouldBe(
        "access.md",
        "| endpoint | name | needs |",
        [
            .. Lines().Where(line => line.Method == "GET").OrderBy(line => line.Path, StringComparer.Ordinal)
                .Select(line => $"| GET {line.Path} | {line.Name} | {line.Needs} |"),
        ],
        "## Queries");

    [Fact]
    public async Task Every_list_has_the_filters_and_sorts_of_its_resource()
    {
        var description = await DescriptionAsync();
        string[] forms = ["", "/v2", "/cursor", "/stream", "/export/ndjson"];
        string[] others =
        [
            "sort", "fields", "page", "pageSize", "after", "before", "afterId", "limit", "If-None-Match",
            "Consistency-Token",
        ];
        foreach (var resource in ReadModel.All)
        {
            foreach (var form in forms)
            {
                var operation = description.Operations.Single(
                    one => one.Method == "GET" && one.Path == $"/{resource.Name}{form}");
                var names = operation.Parameters.Select(parameter => (string)parameter["name"]!).ToList();
                names.ShouldBe(names.Distinct());
                names.ShouldBeSubsetOf([.. resource.Filters.Select(filter => filter.Name), .. others]);
                resource.Filters.Select(filter => filter.Name).ShouldBeSubsetOf(names);
                operation.Parameters.Single(
                    parameter =>
                        (string)parameter["name"]! == "sort")["schema"]!["enum"]!.AsArray().Select(sort =>
                            (string)sort!)
                    .ShouldBe(resource.Sorts.Where(sort => sort.IsPublic).Select(sort => sort.Name));
            }
        }
    }

    [Fact]
    public async Task Every_parameter_has_a_schema_or_a_content()
    {
        var parameters = (await DescriptionAsync()).Operations.SelectMany(operation => operation.Parameters).ToList();

        parameters.Count.ShouldBeGreaterThan(300);
        parameters.Where(parameter => !parameter.ContainsKey("schema") && !parameter.ContainsKey("content"))
            .Select(parameter => (string)parameter["name"]!).Distinct().ShouldBeEmpty();
    }

    [Fact]
    public async Task The_selected_members_are_those_of_the_document()
    {
        var description = await DescriptionAsync();
        foreach (var (path, schema) in (Dictionary<string, string>)new()
        {
            ["/products/by-slug/{slug}"] = "Product", ["/products/{id}/reviews"] = "Review", ["/orders/v2"] = "Order",
        })
        {
            var fields = description.Operations.Single(one => one.Method == "GET" && one.Path == path).Parameters
                .Single(parameter => (string)parameter["name"]! == "fields");

            ((bool)fields["explode"]!).ShouldBeFalse("they are separated by commas");
            fields["schema"]!["items"]!["enum"]!.AsArray().Select(name => (string)name!).ShouldBe(
                description.Json["components"]!["schemas"]![schema]!["properties"]!.AsObject()
                    .Select(member => member.Key));
        }
    }

    // With a limit a stream ends there like a complete one; without it, it breaks off.
    [Fact]
    public async Task The_limit_of_a_stream_has_no_default() =>
        (await DescriptionAsync()).Operations.Where(
            one => one.Path.EndsWith("/stream", StringComparison.Ordinal)).SelectMany(one => one.Parameters)
            .Where(parameter => (string)parameter["name"]! == "limit")
            .ShouldAllBe(limit => !limit["schema"]!.AsObject().ContainsKey("default"));

    [Fact]
    public async Task Every_member_of_a_document_is_always_there()
    {
        using var document = await shop.Http.GetAsync("openapi/v1.json");
        var schemas = JsonNode.Parse(await document.Content.ReadAsStringAsync())!["components"]!["schemas"]!;
        foreach (var schema in (string[])["Product", "Category", "Order", "Review", "User"])
        {
            schemas[schema]!["required"]!.AsArray().Select(name => (string)name!)
                .ShouldBe(schemas[schema]!["properties"]!.AsObject().Select(member => member.Key));
        }

        ((string)schemas["Product"]!["properties"]!["images"]!["type"]!).ShouldBe("array");
    }

    [Fact]
    public async Task Every_described_parameter_is_accepted_and_no_other()
    {
        foreach (var operation in (await DescriptionAsync()).Operations.Where(
            one => one.Method == "GET" && one.Takes("Consistency-Token")))
        {
            var path = operation.Path.Replace("{id}", "1", StringComparison.Ordinal)
                .Replace("{slug}", "lamp", StringComparison.Ordinal);
            // An empty value is invalid for all parameters: an error about the value shows that the parameter is known.
            var given = operation.Parameters.Where(parameter => (string)parameter["in"]! == "query")
                .Select(parameter => (string)parameter["name"]!).ToList();
            using var answer = await shop.Http.GetAsync(
                $"{path}?{string.Join('&', given.Append("nonsense").Select(name => $"{name}="))}");
            var errors = (await answer.ShouldBeProblemAsync(System.Net.HttpStatusCode.BadRequest, "query.invalid"))
                .GetProperty("errors");

            errors.EnumerateObject()
                .Where(error => error.Value[0].GetString() == "is not a parameter of this endpoint.")
                .Select(error => error.Name).ShouldBe(["nonsense"], path);
            errors.EnumerateObject().Count().ShouldBe(given.Count + 1, path);
        }
    }

    [Fact]
    public void A_filter_has_the_same_description_as_in_the_docs()
    {
        var rows = File.ReadLines(Path.Combine(Repository.Root, "docs", "queries.md")).ToList();
        foreach (var (resource, filter) in ReadModel.All.SelectMany(
            resource => resource.Filters.Select(filter => (resource, filter))))
        {
            rows.ShouldContain(row => row.StartsWith($"| {resource.Name} | {filter.Name} |", StringComparison.Ordinal)
                && row.EndsWith($"| {Parameters.Condition(filter)} |", StringComparison.Ordinal));
        }
    }

    [Fact]
    public async Task Every_reference_has_a_target_every_component_is_used_and_every_code_is_named()
    {
        var description = await DescriptionAsync();
        var references = description.Objects().Where(one => one.Object["$ref"] is not null)
            .Select(one => (string)one.Object["$ref"]!).ToHashSet();
        foreach (var reference in references)
            description.Resolve(new JsonObject { ["$ref"] = reference }).ShouldNotBeNull();
        foreach (var kind in (string[])["schemas", "responses", "headers"])
        {
            description.Json["components"]![kind]!.AsObject()
                .Select(component => $"#/components/{kind}/{component.Key}").ShouldBeSubsetOf(references);
        }

        var text = description.Json["components"]!["responses"]!.ToJsonString();
        string[] elsewhere = ["path.unknown", "method.not_allowed"];
        ErrorCatalogue.Both.Concat(ErrorCatalogue.Queries).Select(code => code.Code).Except(elsewhere)
            .ShouldAllBe(code => text.Contains(code, StringComparison.Ordinal));
        description.Operations.Select(operation => operation.Id).ShouldBeUnique();
        ((string)description.Json["openapi"]!).ShouldStartWith("3.1.");
    }

    private static string Needs(JsonArray security) => security switch
    {
        [] => "public",
        [var key] => (string)key!["key"]![0]!,
        [var key, var customer] when customer!["customer"] is not null => $"{key!["key"]![0]} or customer",
        _ => security.ToJsonString(),
    };

    private Task<ApiDescription> DescriptionAsync() => ApiDescription.ReadAsync(shop.Http);

    private List<Line> Lines() =>
    [
        .. from endpoint in shop.App.Services.GetRequiredService<EndpointDataSource>().Endpoints.OfType<RouteEndpoint>()
           // The storefront's files are not part of the API.
           where endpoint.Metadata.GetMetadata<IExcludeFromDescriptionMetadata>() is null
           let name = endpoint.Metadata.GetMetadata<IEndpointNameMetadata>()!.EndpointName
           from method in endpoint.Metadata.GetMetadata<IHttpMethodMetadata>()!.HttpMethods
           let pattern = "/" + endpoint.RoutePattern.RawText!.Trim('/').Replace(":int", "", StringComparison.Ordinal)
           select new Line(method, pattern, name, endpoint.Metadata.GetMetadata<IAuthorizeData>()?.Policy ?? "public"),
    ];
}
