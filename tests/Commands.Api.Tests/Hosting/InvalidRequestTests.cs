using System.Net;
using System.Text;
using Microsoft.AspNetCore.Http.Metadata;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.Hosting;

public sealed class InvalidRequestTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private static readonly string longText = new('x', 2001);

    [Theory]
    [InlineData("products", """{"name":"","price":1,"stock":1,"categoryId":1}""", "name")]
    [InlineData("products", """{"name":"   ","price":1,"stock":1,"categoryId":1}""", "name")]
    [InlineData("products", """{"name":null,"price":1,"stock":1,"categoryId":1}""", "name")]
    [InlineData("products", """{"name":"~","price":1,"stock":1,"categoryId":1}""", "name")]
    [InlineData("products", """{"name":"x","description":"~","price":1,"stock":1,"categoryId":1}""", "description")]
    [InlineData("products", """{"name":"x","price":-0.01,"stock":1,"categoryId":1}""", "price")]
    [InlineData("products", """{"name":"x","price":1.001,"stock":1,"categoryId":1}""", "price")]
    [InlineData("products", """{"name":"x","price":10000000000000000,"stock":1,"categoryId":1}""", "price")]
    [InlineData("products", """{"name":"x","price":1e99,"stock":1,"categoryId":1}""", "price")]
    [InlineData("products", """{"name":"x","price":"1","stock":1,"categoryId":1}""", "price")]
    [InlineData("products", """{"name":"x","price":1,"stock":-1,"categoryId":1}""", "stock")]
    [InlineData("products", """{"name":"x","price":1,"stock":2147483648,"categoryId":1}""", "stock")]
    [InlineData("products", """{"name":"x","price":1,"stock":1.5,"categoryId":1}""", "stock")]
    [InlineData("products", """{"name":"x","price":1,"stock":1}""", "categoryId")]
    [InlineData("products", """{"name":"x","price":1,"stock":1,"categoryId":1,"isActive":"yes"}""", "isActive")]
    [InlineData("products", """{"name":"x","price":1,"stock":1,"categoryId":1,"colour":"red"}""", "colour")]
    [InlineData("products", """{"name":"x","price":1,"price":2,"stock":1,"categoryId":1}""", "price")]
    [InlineData("categories", """{"description":"x"}""", "name")]
    [InlineData("categories", """{"name":"x","description":"~"}""", "description")]
    [InlineData("categories", """{"name":7}""", "name")]
    [InlineData("users", """{"email":"no-address","firstName":"A","lastName":"B","password":"12345678"}""", "email")]
    [InlineData("users", """{"email":"a@b c.example","firstName":"A","lastName":"B","password":"12345678"}""", "email")]
    [InlineData(
        "users", """{"email":"a@b.example","firstName":"","lastName":"B","password":"12345678"}""", "firstName")]
    [InlineData("users", """{"email":"a@b.example","firstName":"A","password":"12345678"}""", "lastName")]
    [InlineData("users", """{"email":"a@b.example","firstName":"A","lastName":"B","password":"1234567"}""", "password")]
    [InlineData(
        "users",
        """{"email":"a@b.example","firstName":"A","lastName":"B","password":"12345678","phoneNumber":"call me"}""",
        "phoneNumber")]
    [InlineData("orders", """{"shippingAddress":"x","items":[{"productId":1,"quantity":1}]}""", "userId")]
    [InlineData(
        "orders", """{"userId":1,"shippingAddress":"","items":[{"productId":1,"quantity":1}]}""", "shippingAddress")]
    [InlineData("orders", """{"userId":1,"shippingAddress":"x"}""", "items")]
    [InlineData("orders", """{"userId":1,"shippingAddress":"x","items":[]}""", "items")]
    [InlineData("orders", """{"userId":1,"shippingAddress":"x","items":[null]}""", "items")]
    [InlineData(
        "orders",
        """{"userId":1,"shippingAddress":"x","items":[{"productId":1,"quantity":1},{"productId":1,"quantity":0}]}""",
        "items[1].quantity")]
    [InlineData("orders", """{"userId":1,"shippingAddress":"x","items":[{"quantity":1}]}""", "items[0].productId")]
    [InlineData(
        "orders", """{"userId":1,"shippingAddress":"x","items":[{"productId":1,"quantity":1,"price":0}]}""",
        "items[0].price")]
    [InlineData("reviews", """{"productId":1,"userId":1,"rating":0}""", "rating")]
    [InlineData("reviews", """{"productId":1,"userId":1,"rating":6}""", "rating")]
    [InlineData("reviews", """{"productId":1,"userId":1}""", "rating")]
    [InlineData("reviews", """{"userId":1,"rating":1}""", "productId")]
    [InlineData("reviews", """{"productId":1,"userId":1,"rating":1,"comment":"~"}""", "comment")]
    [InlineData("reviews/1", """{"rating":6}""", "rating")]
    [InlineData("reviews/1", """{"rating":1,"userId":2}""", "userId")]
    [InlineData("orders/1", """{"status":"Lost","shippingAddress":"x"}""", "status")]
    [InlineData("orders/1", """{"status":"2","shippingAddress":"x"}""", "status")]
    [InlineData("orders/1", """{"status":"Shipped"}""", "shippingAddress")]
    [InlineData("orders/1", """{"status":"Shipped","shippingAddress":"x","trackingNumber":"~"}""", "trackingNumber")]
    [InlineData("orders/1", """{"status":"Shipped","shippingAddress":"x","items":[]}""", "items")]
    [InlineData("products/1", """{"name":"x","price":-1,"stock":1,"categoryId":1}""", "price")]
    [InlineData("categories/1", """{"name":""}""", "name")]
    [InlineData("users/1", """{"email":"a","firstName":"A","lastName":"B"}""", "email")]
    public async Task An_invalid_body_is_refused_by_JSON_path(string path, string body, string member)
    {
        var method = path.Contains('/', StringComparison.Ordinal) ? HttpMethod.Put : HttpMethod.Post;

        var answer = await app.SendAsync(method, "/" + path, body.Replace("~", longText, StringComparison.Ordinal));

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.Body.GetProperty("errors").EnumerateObject().Select(error => error.Name).ShouldBe([member], answer.Text);
        answer.Text.ShouldNotContain("ApexShop.");
    }

    [Fact]
    public async Task Every_endpoint_with_a_body_validates_it()
    {
        var endpoints = app.Services.GetRequiredService<EndpointDataSource>().Endpoints.OfType<RouteEndpoint>()
            .Where(endpoint => endpoint.Metadata.GetMetadata<IAcceptsMetadata>() is { IsOptional: false })
            .Where(endpoint => endpoint.Metadata.GetMetadata<IHttpMethodMetadata>()!.HttpMethods[0] is "POST" or "PUT")
            .ToList();

        endpoints.Count.ShouldBeGreaterThanOrEqualTo(10);
        foreach (var endpoint in endpoints)
        {
            var method = HttpMethod.Parse(endpoint.Metadata.GetMetadata<IHttpMethodMetadata>()!.HttpMethods[0]);
            var path = endpoint.RoutePattern.RawText!.Replace("{id:int}", "1", StringComparison.Ordinal);
            var answer = await app.SendAsync(method, path, "{}");
            answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("{")]
    [InlineData("{\"name\":}")]
    [InlineData("{'name':'x'}")]
    [InlineData("{} {}")]
    [InlineData("nonsense")]
    [InlineData("null")]
    public async Task Invalid_JSON_is_malformed(string body)
    {
        var answer = await app.PostAsync("/categories", body);

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.malformed");
    }

    [Theory]
    [InlineData("[]")]
    [InlineData("7")]
    public async Task JSON_of_another_type_is_refused(string body)
    {
        var answer = await app.PostAsync("/categories", body);

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.Body.GetProperty("errors").TryGetProperty("$", out _).ShouldBeTrue();
    }

    [Theory]
    [InlineData("""{"name":"a\u0000b"}""")]
    [InlineData("""{"name":"\ud800"}""")]
    public async Task Text_that_the_database_cannot_store_is_refused(string body)
    {
        (await app.PostAsync("/categories", body)).Status.ShouldBe(HttpStatusCode.BadRequest);
    }

    [Fact]
    public async Task Another_content_type_is_refused()
    {
        using var content = new StringContent("{\"name\":\"x\"}", Encoding.UTF8, "text/plain");
        using var response = await app.Http.PostAsync("/categories", content);

        (await Answer.ReadAsync(response))
            .ShouldBeProblem(HttpStatusCode.UnsupportedMediaType, "content_type.unsupported");
    }

    [Fact]
    public async Task A_body_over_the_limit_is_refused()
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, "/categories");
        request.Content = new StringContent(
            $$"""{"name":"{{new string('x', 10 * 1024 * 1024)}}"}""", Encoding.UTF8, "application/json");
        // Otherwise the connection may be reset while the body is being sent, and the response is lost.
        request.Headers.ExpectContinue = true;
        using var response = await app.Http.SendAsync(request);

        (await Answer.ReadAsync(response)).ShouldBeProblem(HttpStatusCode.RequestEntityTooLarge, "body.too_large");
    }

    [Fact]
    public async Task Unknown_paths_and_methods_are_problems_too()
    {
        (await app.DeleteAsync("/nothing")).ShouldBeProblem(HttpStatusCode.NotFound, "path.unknown");
        (await app.DeleteAsync("/products/abc")).ShouldBeProblem(HttpStatusCode.NotFound, "path.unknown");
        (await app.DeleteAsync("/products")).ShouldBeProblem(HttpStatusCode.MethodNotAllowed, "method.not_allowed");
    }
}
