using System.Net;
using System.Reflection;
using System.Text.Json;
using ApexShop.Commands.Api.Commands.Validation;
using ApexShop.Commands.Api.Events;
using ApexShop.Commands.Api.Hosting;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Orders;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Limits;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Http.Json;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Tests.Hosting;

public sealed class LimitTableTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    // The options' defaults, and not the settings of a test.
    private static IReadOnlyList<LimitLine> Defaults =>
        new LimitTable(
            Options.Create(new LimitOptions()), Options.Create(new EventsOptions()),
            Options.Create(new PersistenceOptions()), Options.Create(new OrderOptions())).Lines;

    private IReadOnlyList<LimitLine> Table => app.Services.GetRequiredService<LimitTable>().Lines;

    [Fact]
    public void The_table_of_the_docs_has_the_defaults() => DocTable.ShouldBe(
        "limits.md", "| limit | value | unit | beyond it |",
        [.. Defaults.Select(line => $"| {line.Name} | {line.Value} | {line.Unit} | {line.Beyond} |")]);

    [Fact]
    public async Task The_limits_are_public()
    {
        using var client = app.ClientWith(null);
        using var response = await client.GetAsync("/limits");
        var answer = await Answer.ReadAsync(response);

        answer.Status.ShouldBe(HttpStatusCode.OK);
        answer.Body.GetProperty("limits").EnumerateArray().Select(line => new LimitLine(
            line.GetProperty("name").GetString()!,
            line.GetProperty("value").GetInt64(),
            line.GetProperty("unit").GetString()!,
            line.GetProperty("beyond").GetString()!)).ShouldBe(Table);
    }

    [Fact]
    public void Every_text_of_an_input_has_a_limited_length_and_limited_characters()
    {
        // Attributes of a record are declared on the constructor parameters of the record that declares the member.
        var texts = app.BodyTypes().SelectMany(WithInner).SelectMany(type => type.GetProperties())
            .Where(property => property.PropertyType == typeof(string))
            .Select(property =>
                property.DeclaringType!.GetConstructors().SelectMany(made => made.GetParameters())
                    .First(member => member.Name == property.Name))
            .Distinct().ToList();

        texts.Count.ShouldBeGreaterThan(10);
        texts.Where(member => !member.GetCustomAttributes<SingleLineAttribute>().Any()
                && !member.GetCustomAttributes<MultilineAttribute>().Any()
                && !member.GetCustomAttributes<TextFormAttribute>().Any()
                && !member.GetCustomAttributes<System.ComponentModel.DataAnnotations.AllowedValuesAttribute>().Any())
            .Select(member => $"{member.Member.DeclaringType}.{member.Name}").ShouldBeEmpty();
    }

    [Theory]
    [InlineData("name", """{"name":"~"}""", "/categories")]
    [InlineData("description", """{"name":"x","description":"~"}""", "/categories")]
    [InlineData("name", """{"name":"~","price":1,"stock":1,"categoryId":{category}}""", "/products")]
    [InlineData(
        "description", """{"name":"x","description":"~","price":1,"stock":1,"categoryId":{category}}""", "/products")]
    [InlineData("comment", """{"productId":{product},"userId":{user},"rating":5,"comment":"~"}""", "/reviews")]
    [InlineData(
        "firstName", """{"email":"first{user}@b.example","firstName":"~","lastName":"B","password":"12345678"}""",
        "/users")]
    [InlineData(
        "lastName", """{"email":"last{user}@b.example","firstName":"A","lastName":"~","password":"12345678"}""",
        "/users")]
    [InlineData(
        "password", """{"email":"password{user}@b.example","firstName":"A","lastName":"B","password":"~"}""",
        "/users")]
    [InlineData("email", """{"email":"~@b.example","firstName":"A","lastName":"B","password":"12345678"}""", "/users")]
    [InlineData(
        "phoneNumber",
        """{"email":"phone{user}@b.example","firstName":"A","lastName":"B","password":"12345678","phoneNumber":"~"}""",
        "/users")]
    [InlineData(
        "shippingAddress",
        """{"userId":{user},"shippingAddress":"~","items":[{"productId":{product},"quantity":1}]}""", "/orders")]
    [InlineData(
        "trackingNumber", """{"status":"Pending","shippingAddress":"x","trackingNumber":"~"}""", "/orders/{order}")]
    [InlineData("shippingAddress", """{"status":"Pending","shippingAddress":"~"}""", "/orders/{order}")]
    public async Task A_text_may_be_as_long_as_its_limit_and_no_longer(string member, string body, string path)
    {
        var most = (int)Table.Single(line =>
            line.Name.Split(", ").Contains(member)
                && line.Unit == "characters" && !line.Name.EndsWith("least", StringComparison.Ordinal)).Value;
        var beside = body.Contains("~@", StringComparison.Ordinal) ? "@b.example".Length : 0;
        var (filledPath, filledBody) = await FilledAsync(path, body);

        var over = await SendAsync(filledPath, filledBody, most - beside + 1);
        over.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        over.Body.GetProperty("errors").EnumerateObject().Select(error => error.Name).ShouldBe([member]);
        var just = await SendAsync(filledPath, filledBody, most - beside);
        just.Status.ShouldBeOneOf(HttpStatusCode.Created, HttpStatusCode.OK);
    }

    [Theory]
    [InlineData(100, HttpStatusCode.Created)]
    [InlineData(101, HttpStatusCode.BadRequest)]
    public async Task An_order_has_at_most_its_limit_of_items(int count, HttpStatusCode status)
    {
        var (user, product) = (await app.UserAsync(), await app.ProductAsync(stock: 1000));

        var body = ShopBuilder.OrderBody(user, [.. Enumerable.Repeat((product, 1), count)]);
        (await app.PostAsync("/orders", body)).Status.ShouldBe(status);
    }

    [Fact]
    public async Task A_password_has_at_least_the_minimum_length()
    {
        var shortest = (int)Table.Single(line => line.Name == "password, at least").Value;
        (int, HttpStatusCode)[] cases = [(shortest - 1, HttpStatusCode.BadRequest), (shortest, HttpStatusCode.Created)];
        foreach (var (length, status) in cases)
        {
            var body = new
            {
                email = $"short{length}@b.example",
                firstName = "A",
                lastName = "B",
                password = new string('x', length),
            };
            (await app.PostAsync("/users", body)).Status.ShouldBe(status);
        }
    }

    [Fact]
    public void Json_may_be_nested_as_deep_as_its_limit_and_no_deeper()
    {
        var json = app.Services.GetRequiredService<IOptions<JsonOptions>>().Value.SerializerOptions;
        var most = (int)Table.Single(line => line.Name == "jsonDepth").Value;

        JsonSerializer.Deserialize<JsonElement>(Nested(most), json).ValueKind.ShouldBe(JsonValueKind.Array);
        Should.Throw<JsonException>(() => JsonSerializer.Deserialize<JsonElement>(Nested(most + 1), json));
    }

    private static string Nested(int depth) => new string('[', depth) + new string(']', depth);

    // Only types of this program; the items of a list are found through the list.
    private static IEnumerable<Type> WithInner(Type type) => type.GetProperties()
        .SelectMany(property => property.PropertyType.GenericTypeArguments.Append(property.PropertyType))
        .Where(inner => inner != type && inner.Assembly == typeof(Program).Assembly)
        .SelectMany(WithInner).Prepend(type);

    private Task<Answer> SendAsync(string path, string body, int length)
    {
        var digit = body.Contains("phoneNumber", StringComparison.Ordinal) ? '1' : 'x';
        var method = path.StartsWith("/orders/", StringComparison.Ordinal) ? HttpMethod.Put : HttpMethod.Post;
        return app.SendAsync(method, path, body.Replace("~", new string(digit, length), StringComparison.Ordinal));
    }

    private async Task<(string Path, string Body)> FilledAsync(string path, string body)
    {
        (string Name, Func<Task<int>> Make)[] rows =
        [
            ("{category}", app.CategoryAsync), ("{product}", () => app.ProductAsync()), ("{user}", app.UserAsync),
            ("{order}", async () => await app.OrderAsync((await app.ProductAsync(), 1))),
        ];
        foreach (var (name, make) in rows)
        {
            if (!(path + body).Contains(name, StringComparison.Ordinal)) continue;
            var id = (await make()).ToString(System.Globalization.CultureInfo.InvariantCulture);
            (path, body) = (
                path.Replace(name, id, StringComparison.Ordinal), body.Replace(name, id, StringComparison.Ordinal));
        }

        return (path, body);
    }
}
