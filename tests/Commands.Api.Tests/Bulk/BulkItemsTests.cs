using System.Net;
using System.Reflection;
using System.Text;
using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Commands;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Validation;

namespace ApexShop.Commands.Api.Tests.Bulk;

public sealed class BulkItemsTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private const string Good = """{"name":"x"}""";

    [Theory]
    [InlineData("""{"name":""}""", "[1].name")]
    [InlineData("""{"description":"x"}""", "[1].name")]
    [InlineData("""{"name":7}""", "[1].name")]
    [InlineData("""{"name":"x","isActive":"yes"}""", "[1].isActive")]
    [InlineData("""{"name":"x","colour":"red"}""", "[1].colour")]
    [InlineData("""{"name":"x","name":"y"}""", "[1].name")]
    [InlineData("""{"name":"x","id":7}""", "[1].id")]
    [InlineData("""{"name":{"deep":[1,2]}}""", "[1].name")]
    [InlineData("null", "[1]")]
    [InlineData("7", "[1]")]
    [InlineData("[]", "[1]")]
    public async Task A_bad_item_is_named_by_its_path_in_both_formats(string item, string path)
    {
        foreach (var answer in await BothAsync([Good, item, Good]))
        {
            answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
            answer.ErrorPaths.ShouldBe([path], answer.Text);
            answer.Text.ShouldNotContain("ApexShop.");
        }
    }

    [Fact]
    public async Task All_bad_items_are_named_in_the_words_of_a_single_one()
    {
        var single = await app.PostAsync("/categories", """{"name":""}""");
        foreach (var answer in await BothAsync(["""{"name":""}""", Good, """{"name":1}""", """{"name":""}"""]))
        {
            answer.ErrorPaths.ShouldBe(["[0].name", "[2].name", "[3].name"]);
            answer.Body.GetProperty("errors").GetProperty("[0].name").GetRawText()
                .ShouldBe(single.Body.GetProperty("errors").GetProperty("name").GetRawText());
        }
    }

    [Fact]
    public async Task So_many_errors_are_named_and_no_more()
    {
        foreach (var answer in await BothAsync(Enumerable.Repeat("""{"name":""}""", 150)))
        {
            answer.ErrorPaths.Length.ShouldBe(Problem.MaxErrors);
            answer.Body.GetProperty("detail").GetString()!.ShouldContain("The first 100 errors are listed.");
        }
    }

    [Fact]
    public async Task The_limit_may_be_reached_and_not_passed()
    {
        foreach (var answer in await BothAsync(Enumerable.Repeat(Good, 1000))) answer.Ids.Length.ShouldBe(1000);
        var before = await app.CountAsync("categories");
        foreach (var answer in await BothAsync(Enumerable.Repeat(Good, 1001)))
        {
            answer.ShouldBeProblem(HttpStatusCode.RequestEntityTooLarge, "bulk.too_many");
            answer.Body.GetProperty("limit").GetInt32().ShouldBe(1000);
        }

        (await app.CountAsync("categories")).ShouldBe(before);
    }

    [Fact]
    public async Task Nothing_is_read_after_too_many_items()
    {
        // The last item is not JSON, and it is never read.
        var answer =
            await PostAsync("[" + string.Join(',', Enumerable.Repeat(Good, 30_000)) + ",nonsense", "application/json");

        answer.ShouldBeProblem(HttpStatusCode.RequestEntityTooLarge, "bulk.too_many");
    }

    [Theory]
    [InlineData("application/json", "[]")]
    [InlineData("application/json", " [ ] ")]
    [InlineData(BulkRequests.Lines, "")]
    [InlineData(BulkRequests.Lines, "\r\n \n\n")]
    public async Task An_empty_list_is_refused(string type, string text)
    {
        var answer = await PostAsync(text, type);

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.ErrorPaths.ShouldBe(["$"]);
    }

    [Theory]
    [InlineData("application/json", "", "line 1, byte 1")]
    [InlineData("application/json", "[", "line 1, byte 2")]
    [InlineData("application/json", "[\n{\"name\":\"x\"}\n", "line 3, byte 1")]
    [InlineData("application/json", "[\n{\"name\":\"x\"},\n]", "line 3, byte 1")]
    [InlineData("application/json", "[\n{\"name\":\"x\"}\n{\"name\":\"x\"}]", "line 3, byte 1")]
    [InlineData("application/json", "[\n{\"name\":\"x\"}] 7", "line 2, byte 15")]
    [InlineData("application/json", "[\n{\"name\":'x'}]", "line 2, byte 9")]
    [InlineData("application/json", "nonsense", "line 1, byte 2")]
    [InlineData(BulkRequests.Lines, "{\"name\":\"x\"}\n\nnonsense", "line 3, byte 2")]
    [InlineData(BulkRequests.Lines, "{\"name\":\"x\"}\n{\"name\":", "line 2, byte 9")]
    [InlineData(BulkRequests.Lines, "{\"name\":\"x\"} {\"name\":\"x\"}", "line 1, byte 14")]
    [InlineData(BulkRequests.Lines, "{\n\"name\":\"x\"}", "line 1, byte 2")]
    public async Task What_is_no_JSON_is_malformed_and_its_place_is_named(string type, string text, string place)
    {
        var answer = await PostAsync(text, type);

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.malformed");
        answer.Body.GetProperty("detail").GetString().ShouldBe($"The body is not valid JSON: {place}.");
    }

    [Theory]
    [InlineData("{}")]
    [InlineData("""{"name":"x"}""")]
    [InlineData("7")]
    [InlineData("null")]
    public async Task What_is_no_list_is_refused(string text)
    {
        var answer = await PostAsync(text, "application/json");

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.ErrorPaths.ShouldBe(["$"]);
    }

    [Theory]
    [InlineData("text/plain")]
    [InlineData("application/xml")]
    [InlineData("application/json; charset=utf-16")]
    [InlineData("nonsense")]
    [InlineData(null)]
    public async Task Another_content_type_is_refused(string? type) =>
        (await PostAsync($"[{Good}]", type))
            .ShouldBeProblem(HttpStatusCode.UnsupportedMediaType, "content_type.unsupported");

    [Theory]
    [InlineData("application/json")]
    [InlineData("application/json; charset=UTF-8")]
    [InlineData("Application/JSON")]
    public async Task The_content_type_is_read_as_HTTP_defines(string type) =>
        (await PostAsync($"[{Good}]", type)).Ids.Length.ShouldBe(1);

    [Fact]
    public async Task An_item_has_a_largest_size_whatever_the_body_may_have()
    {
        foreach (var answer in await BothAsync([Good, $$"""{"name":"{{new string('x', 70_000)}}"}"""]))
            answer.ShouldBeProblem(HttpStatusCode.RequestEntityTooLarge, "bulk.item_too_large");
    }

    [Theory]
    [InlineData(64 * 1024, HttpStatusCode.Created)]
    [InlineData(64 * 1024 + 1, HttpStatusCode.RequestEntityTooLarge)]
    public async Task The_white_space_before_an_item_counts(int size, HttpStatusCode status)
    {
        foreach (var answer in await BothAsync([Good.PadLeft(size), Good]))
            answer.Status.ShouldBe(status, answer.Text);
    }

    [Theory]
    [InlineData(64 * 1024, HttpStatusCode.Created)]
    [InlineData(64 * 1024 + 1, HttpStatusCode.RequestEntityTooLarge)]
    public async Task White_space_after_the_last_item_has_the_same_limit(int size, HttpStatusCode status)
    {
        var array = await PostAsync($"[{Good}]{new string(' ', size)}", "application/json");
        var lines = await PostAsync($"{Good}\n{new string(' ', size)}", "application/x-ndjson");

        array.Status.ShouldBe(status, array.Text);
        lines.Status.ShouldBe(status, lines.Text);
    }

    [Fact]
    public async Task Items_that_arrive_in_pieces_are_put_together()
    {
        var name = new string('é', 190);
        var items = Enumerable.Range(0, 500)
            .Select(i => $$"""{"name":"{{name}}{{i}}","description":"{{new string('y', i * 4)}}"}""");

        foreach (var answer in await BothAsync(items))
            (await app.ScalarAsync<string>($"SELECT name FROM shop.categories WHERE id = {answer.Ids[437]}"))
                .ShouldBe(name + "437");
    }

    [Fact]
    public async Task A_nesting_without_end_is_refused()
    {
        foreach (var answer in await BothAsync([$$"""{"name":{{new string('[', 10_000)}}"""]))
            answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.malformed");
    }

    [Theory]
    [InlineData("{\"name\":\"a\\u0000b\"}")]
    [InlineData("{\"name\":\"\\ud800\"}")]
    public async Task Text_that_PostgreSQL_cannot_store_is_refused(string item)
    {
        foreach (var answer in await BothAsync([Good, item]))
            answer.Status.ShouldBe(HttpStatusCode.BadRequest, answer.Text);
    }

    [Fact]
    public async Task Bytes_that_are_no_text_are_refused()
    {
        using var content = new ByteArrayContent([.. "[{\"name\":\"x"u8, 0xff, 0xfe, .. "\"}]"u8]);
        content.Headers.TryAddWithoutValidation("Content-Type", "application/json");
        using var response = await app.Http.PostAsync("/categories/bulk", content);

        (await Answer.ReadAsync(response)).Status.ShouldBe(HttpStatusCode.BadRequest);
    }

    [Fact]
    public void Every_type_of_item_has_its_rules()
    {
        var options = app.Services.GetRequiredService<IOptions<ValidationOptions>>().Value;
        var types = app.Services.GetRequiredService<EndpointDataSource>().Endpoints
            .SelectMany(endpoint => endpoint.Metadata.GetMetadata<MethodInfo>()?.GetParameters() ?? [])
            .Where(parameter =>
                parameter.ParameterType.Namespace == typeof(BulkItems<>).Namespace
                    && parameter.ParameterType.IsGenericType)
            .Select(parameter => parameter.ParameterType.GetGenericArguments()[0])
            .Where(type => type != typeof(int))
            .Distinct().ToList();

        types.Count.ShouldBeGreaterThanOrEqualTo(7);
        types.ShouldAllBe(type => HasRules(options, type));
    }

    [Fact]
    public void An_item_without_rules_does_not_start() =>
        Should.Throw<InvalidOperationException>(
            () => new ItemValidator<Unruled>(app.Services)).Message.ShouldContain(nameof(Unruled));

    private static bool HasRules(ValidationOptions options, Type type) =>
        options.TryGetValidatableTypeInfo(type, out _);

    private async Task<Answer[]> BothAsync(IEnumerable<string> items) =>
    [
        await PostAsync("[" + string.Join(',', items) + "]", "application/json"),
        await PostAsync(string.Join('\n', items) + "\n", BulkRequests.Lines),
    ];

    private Task<Answer> PostAsync(string text, string? type) =>
        app.SendTextAsync(HttpMethod.Post, "/categories/bulk", text, type);

    private sealed record Unruled(string Name);
}
