using System.Net;
using System.Net.Http.Headers;
using ApexShop.Commands.Api.Tests.Bulk;
using ApexShop.Commands.Api.Tests.Products;

namespace ApexShop.Commands.Api.Tests.Hosting;

public sealed class ProblemFormatTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Theory]
    [InlineData("GET", "/nothing", null, HttpStatusCode.NotFound)]
    [InlineData("DELETE", "/products", null, HttpStatusCode.MethodNotAllowed)]
    [InlineData("POST", "/products", "{", HttpStatusCode.BadRequest)]
    [InlineData("POST", "/products", """{"name":"x","price":-1,"stock":1,"categoryId":1}""", HttpStatusCode.BadRequest)]
    [InlineData("POST", "/products", """{"name":"x","price":1,"stock":1,"categoryId":0}""", HttpStatusCode.Conflict)]
    [InlineData("POST", "/products/bulk", "[{}]", HttpStatusCode.BadRequest)]
    [InlineData("GET", "/events?limit=x", null, HttpStatusCode.BadRequest)]
    [InlineData("DELETE", "/orders/2147483647", null, HttpStatusCode.NotFound)]
    [InlineData("DELETE", "/orders/bulk-delete-old?olderThanDays=0", null, HttpStatusCode.BadRequest)]
    [InlineData("DELETE", "/orders/bulk-delete-old", null, HttpStatusCode.BadRequest)]
    public async Task A_problem_has_the_same_form_whatever_Accept_says(
        string method, string path, string? body, HttpStatusCode status)
    {
        foreach (var accept in (string[])["*/*", "text/csv", "text/plain", "application/x-ndjson", "image/png;q=0.1"])
        {
            using var request = new HttpRequestMessage(HttpMethod.Parse(method), path);
            request.Headers.Accept.Add(MediaTypeWithQualityHeaderValue.Parse(accept));
            if (body is not null)
                request.Content = new StringContent(body, new MediaTypeHeaderValue("application/json"));
            using var response = await app.Http.SendAsync(request);
            var answer = await Answer.ReadAsync(response);

            answer.ShouldBeProblem(status, answer.Code);
            answer.Body.GetProperty("type").GetString()!.ShouldStartWith("https://tools.ietf.org/html/rfc");
            answer.Body.GetProperty("title").GetString().ShouldNotBeNullOrEmpty();
            answer.Body.GetProperty("detail").GetString().ShouldNotBeNullOrEmpty();
        }
    }

    [Fact]
    public async Task A_request_without_a_key_or_its_scope_has_the_same_form_too()
    {
        foreach (var (scope, status) in
            new[] { ((string?)null, HttpStatusCode.Unauthorized), ("events:read", HttpStatusCode.Forbidden) })
        {
            using var http = app.ClientWith(scope);
            http.DefaultRequestHeaders.Add("Accept", "text/html");
            using var response = await http.DeleteAsync("/orders/1");
            var answer = await Answer.ReadAsync(response);

            answer.ShouldBeProblem(status, answer.Code);
            answer.Body.GetProperty("type").GetString().ShouldNotBeNullOrEmpty();
        }
    }

    [Theory]
    [InlineData("""{"id":{0},"name":"x","price":1,"stock":7,"categoryId":1}""", HttpStatusCode.PreconditionRequired)]
    [InlineData("""{"id":{0},"name":"x","price":1,"categoryId":1,"version":7}""", HttpStatusCode.PreconditionFailed)]
    [InlineData("""{"id":-1,"name":"x","price":1,"categoryId":1}""", HttpStatusCode.NotFound)]
    [InlineData("""{"id":{0},"name":"x","price":1,"categoryId":-1}""", HttpStatusCode.Conflict)]
    [InlineData("""{"id":{0}}""", HttpStatusCode.BadRequest)]
    public async Task A_problem_in_a_line_has_the_members_of_a_response(string item, HttpStatusCode status)
    {
        var product = await app.ProductAsync();
        var category = await app.ScalarAsync<int>($"SELECT category_id FROM shop.products WHERE id = {product}");
        var text = item.Replace("{0}", $"{product}").Replace("\"categoryId\":1", $"\"categoryId\":{category}");

        var lines = BulkUpdateProductsTests.Lines(
            await app.SendTextAsync(HttpMethod.Put, "/products/bulk", text, BulkRequests.Lines));

        var problem = lines[0].GetProperty("problem");
        problem.GetProperty("status").GetInt32().ShouldBe((int)status, problem.GetRawText());
        problem.TryGetProperty("type", out var type).ShouldBeTrue(problem.GetRawText());
        type.GetString()!.ShouldStartWith("https://tools.ietf.org/html/rfc");
        problem.GetProperty("title").GetString().ShouldNotBeNullOrEmpty();
        foreach (var member in (string[])["detail", "code", "traceId"])
            problem.GetProperty(member).GetString().ShouldNotBeNullOrEmpty();
    }

    [Theory]
    [InlineData("POST", "/users", "{}")]
    [InlineData("POST", "/users", """{"email":"x@y.example","firstName":"A","lastName":"B"}""")]
    [InlineData("POST", "/users/bulk", """[{"email":"x@y.example","firstName":"A","lastName":"B"}]""")]
    [InlineData("POST", "/orders", """{"shippingAddress":"","items":[null,{"quantity":0}]}""")]
    [InlineData("POST", "/orders", """{"shippingAddress":"","items":[{"quantity":0}]}""")]
    [InlineData("POST", "/orders", """{"userId":{},"shippingAddress":"","items":7}""")]
    [InlineData("PUT", "/orders/1", """{"status":"x"}""")]
    [InlineData("POST", "/products/bulk", """[{"price":-1},{"categoryId":[]}]""")]
    [InlineData("PATCH", "/products/bulk-update-stock", """{"stock":-1,"delta":0}""")]
    [InlineData("PATCH", "/users/bulk-deactivate-inactive?inactiveDays=0", null)]
    public async Task A_message_has_the_names_of_the_JSON_and_none_of_the_code(string method, string path, string? body)
    {
        var answer = await app.SendAsync(HttpMethod.Parse(method), path, body);

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        foreach (var error in answer.Body.GetProperty("errors").EnumerateObject())
        {
            var text = error.Value.ToString();
            text.ShouldNotMatch(@"(?-i)(field [A-Z]|The [A-Z]|System\.|ApexShop\.)");
        }
    }
}
