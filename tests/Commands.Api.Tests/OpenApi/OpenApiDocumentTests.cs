using System.Net;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using ApexShop.Access;
using ApexShop.Commands.Api.Hosting;
using ApexShop.Commands.Api.Tests.Hosting;
using ApexShop.Consistency;
using ApexShop.Errors;
using ApexShop.Resources;
using ApexShop.TestKit;
using ApexShop.TestKit.OpenApi;
using Microsoft.OpenApi;
using Microsoft.OpenApi.Reader;

namespace ApexShop.Commands.Api.Tests.OpenApi;

public sealed class OpenApiDocumentTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task The_document_is_valid_OpenAPI_3_1()
    {
        var text = await app.Http.GetStringAsync("/openapi/v1.json");
        var read = OpenApiDocument.Parse(
            text, "json", new OpenApiReaderSettings { RuleSet = ValidationRuleSet.GetDefaultRuleSet() });

        read.Diagnostic!.Errors.Select(error => error.ToString()).ShouldBeEmpty();
        read.Diagnostic.Warnings.Select(warning => warning.ToString()).ShouldBeEmpty();
        read.Diagnostic.SpecificationVersion.ShouldBe(OpenApiSpecVersion.OpenApi3_1);
        read.Document!.Paths.Count.ShouldBeGreaterThan(10);
    }

    [Fact]
    public async Task Every_endpoint_is_described_completely_and_nothing_else_is()
    {
        var operations = (await DescriptionAsync()).Operations;
        var lines = app.Lines().Where(line => line.IsDescribed).ToList();

        operations.Select(operation => (operation.Id, operation.Method, operation.Path)).Order()
            .ShouldBe(lines.Select(line => (line.Name, line.Method, line.Pattern)).Order());
        foreach (var operation in operations) ShouldBeWhole(operation, lines.Single(line => line.Name == operation.Id));
    }

    [Fact]
    public async Task Every_reference_has_its_target_and_every_component_is_used()
    {
        var description = await DescriptionAsync();
        var references = description.Objects().Where(found => found.Object["$ref"] is JsonValue)
            .Select(found => (string)found.Object["$ref"]!).ToHashSet();
        var components = description.Json["components"]!.AsObject().Where(kind => kind.Key != "securitySchemes")
            .SelectMany(kind => kind.Value!.AsObject().Select(one => $"#/components/{kind.Key}/{one.Key}"));

        components.Order().ShouldBe(references.Order());
    }

    [Fact]
    public async Task Every_example_fits_its_schema()
    {
        var description = await DescriptionAsync();
        var check = new SchemaCheck(description);
        var contents = description.Objects().Where(found =>
            found.Object.ContainsKey("schema")
                && found.Path.Contains(".content.", StringComparison.Ordinal)).ToList();

        contents.Count.ShouldBeGreaterThan(30);
        foreach (var (path, content) in contents.Where(
            content => !content.Path.Contains("/health/", StringComparison.Ordinal)))
        {
            content.ContainsKey("example").ShouldBeTrue($"{path} has no example");
            var isLines = path.EndsWith(".application/x-ndjson", StringComparison.Ordinal);
            JsonNode?[] values = isLines
                ? [.. ((string)content["example"]!).TrimEnd('\n').Split('\n').Select(line => JsonNode.Parse(line))]
                : [content["example"]];
            foreach (var value in values) check.Errors(content["schema"]!, value).ShouldBeEmpty(path);
        }
    }

    [Fact]
    public async Task Every_example_of_a_consistency_token_is_a_token_that_its_key_signed()
    {
        var description = await DescriptionAsync();
        var chunk = description.Operations.Single(one => one.Id == "BulkUpdateProducts").Response(200)!["content"]!;
        string[] examples =
        [
            (string)description.Json["components"]!["headers"]![ConsistencyToken.Header]!["example"]!,
            (string)JsonNode.Parse((string)chunk["application/x-ndjson"]!["example"]!)!["consistencyToken"]!,
        ];

        var signed = new ConsistencyTokens(new string('A', 44));
        examples.ShouldAllBe(example => IsToken(signed, example));
    }

    [Fact]
    public async Task The_example_of_live_events_has_ids_and_events_as_they_are_sent_and_refusals_are_described()
    {
        var description = await DescriptionAsync();
        var stream = description.Operations.Single(one => one.Path == "/events/live" && one.Method == "GET")
            .Response(200)!["content"]!["text/event-stream"]!;
        var fields = ((string)stream["example"]!).Split('\n').ToLookup(line => line.Split(": ")[0]);

        fields["id"].ShouldNotBeEmpty();
        fields["id"].ShouldAllBe(id => Regex.IsMatch(id, "^id: [0-9a-f]{12}:[0-9]+$"));
        new SchemaCheck(description).Errors(
            new JsonObject { ["$ref"] = "#/components/schemas/Event" },
            JsonNode.Parse(fields["data"].Single()["data: ".Length..])).ShouldBeEmpty();
        var text = (string)stream["schema"]!["description"]!;
        foreach (var part in (string[])["event: error", "events.beyond_head", "log.replaced", "events.removed"])
            text.ShouldContain(part);
    }

    [Fact]
    public async Task Every_example_of_a_problem_has_a_code_of_its_status_and_the_current_detail()
    {
        var codes = ErrorCatalogue.Both.Concat(ErrorCatalogue.Commands)
            .ToDictionary(code => code.Code, code => code.Status);
        var responses = (await DescriptionAsync()).Json["components"]!["responses"]!.AsObject();

        responses.Count.ShouldBeGreaterThan(10);
        foreach (var (name, response) in responses)
        {
            var example = response!["content"]!["application/problem+json"]!["example"]!;
            var status = (int)example["status"]!;
            codes[(string)example["code"]!].ShouldBe(status, name);
            var text = ProblemText.Of(status);
            if (text.Code == (string)example["code"]!) ((string?)example["detail"]).ShouldBe(text.Detail, name);
        }
    }

    [Fact]
    public async Task Every_resource_has_a_tag_with_a_description()
    {
        var tags = (await DescriptionAsync()).Json["tags"]!.AsArray().ToDictionary(tag => (string)tag!["name"]!);

        Resource.Names.ShouldBeSubsetOf(tags.Keys);
        tags.Values.ShouldAllBe(tag => !string.IsNullOrEmpty((string?)tag!["description"]));
    }

    [Fact]
    public async Task Bodies_accept_only_described_members()
    {
        var description = await DescriptionAsync();
        var bodies = description.Operations.Select(operation => operation.Body).OfType<JsonObject>()
            .SelectMany(body => body["content"]!.AsObject()).Select(content => content.Value!["schema"]!).Select(Item)
                .Select(description.Resolve).ToList();

        bodies.ShouldNotBeEmpty();
        bodies.Where(body => (string?)body["type"] == "object")
            .ShouldAllBe(body => (bool?)body["additionalProperties"] == false);
        bodies.ShouldAllBe(body => body["type"] is JsonValue || body["allOf"] is JsonArray);

        static JsonNode Item(JsonNode schema) => schema["items"] ?? schema;
    }

    [Fact]
    public async Task A_patch_requires_no_member_and_has_no_default()
    {
        var patches = (await DescriptionAsync()).Operations.Select(operation => operation.Body).OfType<JsonObject>()
            .Select(body => body["content"]!["application/merge-patch+json"]?["schema"]).OfType<JsonObject>().ToList();

        patches.Count.ShouldBe(5);
        patches.ShouldAllBe(patch => patch["required"] == null && patch["properties"]!.AsObject().Count > 1);
        patches.SelectMany(patch => patch["properties"]!.AsObject())
            .ShouldAllBe(member => !member.Value!.AsObject().ContainsKey("default"));
    }

    [Fact]
    public async Task Limits_of_the_annotations_are_limits_of_the_schemas()
    {
        var schemas = (await DescriptionAsync()).Json["components"]!["schemas"]!;

        Member("ProductInput", "price")
            .ShouldBe(
                """
                {"maximum":9999999999999999.99,"minimum":0,"type":"number","description":"At most two decimals."}
                """);
        Member("ProductInput", "stock")
            .ShouldBe("""{"maximum":2147483647,"minimum":0,"type":"integer","format":"int32"}""");
        Member("ProductInput", "isActive").ShouldBe("""{"type":"boolean","default":true}""");
        Member("ReviewInput", "rating").ShouldBe("""{"maximum":5,"minimum":1,"type":"integer","format":"int32"}""");
        Member("UpdateOrder", "status")
            .ShouldBe("""{"enum":["Pending","Processing","Shipped","Delivered","Cancelled"],"type":"string"}""");
        Member("CreateOrder", "items").ShouldBe(
            """{"maxItems":100,"minItems":1,"type":"array","items":{"$ref":"#/components/schemas/CreateOrderItem"}}""");
        Member("ReviewInputItem", "rating").ShouldBe(Member("ReviewInput", "rating"));
        Member("ReviewInputItem", "id").ShouldBe("""{"type":"integer","format":"int32"}""");
        Member("Saved", "version").ShouldBe("""{"type":"integer","format":"int64"}""");
        schemas["CreateOrder"]!["required"]!.ToJsonString().ShouldBe("""["userId","shippingAddress","items"]""");

        string Member(string schema, string name) => schemas[schema]!["properties"]![name]!.ToJsonString();
    }

    [Fact]
    public async Task Events_of_earlier_releases_fit_the_schemas()
    {
        var description = await DescriptionAsync();
        var files = Directory.GetFiles(
            Path.Combine(Repository.Root, "tests", "Shared.Tests", "golden", "events"), "*.before-*.json");
        files.Length.ShouldBeGreaterThan(4);
        foreach (var file in files)
        {
            var isOrder = Path.GetFileName(file).StartsWith("order.", StringComparison.Ordinal);
            var schema = description.Json["components"]!["schemas"]![isOrder ? "OrderState" : "ProductState"]!;
            new SchemaCheck(description).Errors(schema, JsonNode.Parse(await File.ReadAllTextAsync(file)))
                .ShouldBeEmpty(file);
        }
    }

    [Fact]
    public async Task A_document_that_the_client_has_is_not_sent_again()
    {
        using var first = await app.Http.GetAsync("/openapi/v1.json");
        using var again = new HttpRequestMessage(HttpMethod.Get, "/openapi/v1.json");
        again.Headers.IfNoneMatch.Add(first.Headers.ETag!);
        using var second = await app.Http.SendAsync(again);

        second.StatusCode.ShouldBe(HttpStatusCode.NotModified);
    }

    private static bool IsToken(ConsistencyTokens signed, string text) => signed.TryRead(text, out _);

    private static void ShouldBeWhole(DescribedOperation operation, EndpointLine line)
    {
        var what = operation.ToString();
        ((string?)operation.Json["summary"]).ShouldNotBeNullOrWhiteSpace(what);
        ((string?)operation.Json["description"]).ShouldNotBeNullOrWhiteSpace(what);
        operation.Json["tags"]!.AsArray().Count.ShouldBe(1, what);
        operation.Parameters.ShouldAllBe(
            parameter => parameter.ContainsKey("description") && parameter.ContainsKey("schema"), what);
        operation.NeedsKey.ShouldBe(line.Needs != AccessMatrix.Public, what);
        if (operation.NeedsKey)
        {
            var customers = Scopes.PermitsCustomers(line.Needs, out var scope) ? """,{"customer":[]}""" : "";
            operation.Json["security"]!.ToJsonString().ShouldBe(
                $$"""[{"apiKey":["{{scope}}"]}{{customers}}]""", what);
        }

        var done = operation.Statuses.Where(status => status[0] == '2').ToList();
        done.Count.ShouldBe(1, what);
        if (done[0] != "204")
            operation.Response(int.Parse(done[0], null))!["content"]!.AsObject()
                .ShouldAllBe(content => content.Value!["schema"] != null, what);
        if (line.Needs == AccessMatrix.Public) return;
        operation.Statuses.Where(status => status[0] > '2').ShouldBe(Expected(operation, line), what);
        foreach (var status in operation.Statuses.Where(status => status[0] > '2'))
        {
            var content = operation.Response(int.Parse(status, null))!["content"]!;
            ((string?)content["application/problem+json"]!["schema"]!["$ref"])
                .ShouldBe("#/components/schemas/Problem", what);
        }
    }

    private static List<string> Expected(DescribedOperation operation, EndpointLine line)
    {
        var isStream = operation.Response(200)?["content"]?["application/x-ndjson"] is not null;
        // Operators' requests change no aggregate and may be repeated.
        var isOperation = line.Pattern.StartsWith("/admin/", StringComparison.Ordinal);
        // Only one rebuild, rollback or drop runs at a time; no two webhooks have one address, and a
        // webhook of another key sends nothing.
        var isExchange = line.Pattern.StartsWith("/admin/projections/", StringComparison.Ordinal)
            || line.Name is "CreateWebhook" or "ReplaceWebhook" or "TestWebhook";
        var takesKey = line.Method is "POST" or "PATCH" && !isStream && !isOperation;
        operation.Takes("Idempotency-Key").ShouldBe(takesKey);
        var hasBody = operation.Body is not null;
        (bool Occurs, string Status)[] all =
        [
            (true, "400"), (true, "401"), (true, "403"), (line.Pattern.Contains('{', StringComparison.Ordinal), "404"),
            (hasBody, "408"), (
                line.Method != "GET" && !isStream && (!isOperation || isExchange),
                "409"), (operation.Takes("log"), "410"),
            (operation.Takes("If-Match"), "412"), (hasBody, "413"), (hasBody, "415"), (takesKey, "422"),
            (true, "429"), (true, "500"), (true, "503"),
        ];
        // The items of a list of replacements contain ids and versions.
        string[] own = !isStream && line.Method == "PUT" && line.Pattern.EndsWith("/bulk", StringComparison.Ordinal)
            ? ["404", "412"]
            : line.Name is "UpdateProduct" or "PatchProduct" ? ["428"] : [];
        return [.. all.Where(one => one.Occurs).Select(one => one.Status).Union(own).Order()];
    }

    private Task<ApiDescription> DescriptionAsync() => ApiDescription.ReadAsync(app.Http);
}
