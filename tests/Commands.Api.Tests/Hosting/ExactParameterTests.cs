using System.Net;

namespace ApexShop.Commands.Api.Tests.Hosting;

public sealed class ExactParameterTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private static readonly string[] inexact = ["1%00", "%201", "1%20", "%2B1", "01", "-1", "1_0", "%D9%A1", ""];

    [Theory]
    [InlineData("DELETE", "/orders/bulk-delete-old?olderThanDays=", "olderThanDays")]
    [InlineData("DELETE", "/reviews/product/1/bulk-delete-old?olderThanDays=", "olderThanDays")]
    [InlineData("PATCH", "/users/bulk-deactivate-inactive?inactiveDays=", "inactiveDays")]
    [InlineData("GET", "/events/checksums?resource=products&from=", "from")]
    [InlineData("GET", "/events?limit=", "limit")]
    [InlineData("GET", "/admin/parked?limit=", "limit")]
    public async Task A_number_in_the_query_is_digits(string method, string path, string name)
    {
        foreach (var number in inexact)
        {
            var answer = await app.SendAsync(HttpMethod.Parse(method), path + number, null);

            answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
            answer.Body.GetProperty("errors").EnumerateObject().Select(error => error.Name).ShouldBe([name], number);
        }
    }

    [Theory]
    [InlineData("/admin/audit?repair=", "repair")]
    [InlineData("/admin/parked/replay?dryRun=", "dryRun")]
    [InlineData("/admin/dead-letters/3/replay?DryRun=", "dryRun")]
    public async Task A_boolean_is_true_or_false(string path, string name)
    {
        var before = await app.ScalarAsync<long>("SELECT count(*) FROM shop.operator_actions");
        foreach (var flag in (string[])["true%00", "%20TRUE", "True", "FALSE", "1", "", "true&" + name + "=true"])
        {
            var answer = await app.PostAsync(path + flag, "");

            answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
            answer.Body.GetProperty("errors").EnumerateObject().Select(error => error.Name).ShouldBe([name], flag);
        }

        (await app.ScalarAsync<long>("SELECT count(*) FROM shop.operator_actions")).ShouldBe(before);
    }

    [Fact]
    public async Task An_inexact_number_of_days_deletes_nothing()
    {
        var (userId, productId) = (await app.UserAsync(), await app.ProductAsync());
        var old = await app.ManyOrdersAsync(userId, productId, 3, "Delivered", deliveredDaysAgo: 31);

        var answer = await app.DeleteAsync("/orders/bulk-delete-old?olderThanDays=1%00");

        answer.Status.ShouldBe(HttpStatusCode.BadRequest);

        (await app.CountAsync("orders", $"id >= {old} AND id < {old + 3}")).ShouldBe(3);
    }

    [Theory]
    [InlineData("products")]
    [InlineData("orders")]
    [InlineData("categories")]
    [InlineData("reviews")]
    [InlineData("users")]
    public async Task An_id_in_the_path_is_digits(string resource)
    {
        foreach (var id in (string[])["%201", "1%20", "%2B1", "01", "-1"])
        {
            var answer = await app.DeleteAsync($"/{resource}/{id}");

            answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
            answer.Body.GetProperty("errors").TryGetProperty("id", out _).ShouldBeTrue();
        }
    }

    [Theory]
    [InlineData("POST", "/products?dry-run=true")]
    [InlineData("PUT", "/products/1?dryRun=true")]
    [InlineData("PUT", "/products/bulk?x")]
    [InlineData("DELETE", "/orders/bulk-delete-old?olderThanDays=30&dry-run=true")]
    [InlineData("PATCH", "/users/bulk-deactivate-inactive?inactiveDays=30&x=1")]
    [InlineData("POST", "/admin/seed?dry-run=true")]
    [InlineData("POST", "/admin/audit?repairs=true")]
    [InlineData("GET", "/admin/pipeline?x=1")]
    [InlineData("GET", "/limits?x=1")]
    [InlineData("GET", "/events?resource=products&x=1")]
    [InlineData("GET", "/events/live?after=1&limit=3")]
    [InlineData("GET", "/events/live?compacted=true")]
    public async Task An_unknown_query_parameter_is_refused_and_named(string method, string path)
    {
        var answer = await app.SendAsync(HttpMethod.Parse(method), path, method is "POST" or "PUT" ? "[]" : null);

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "query.invalid");
        var name = path[(path.LastIndexOfAny(['?', '&']) + 1)..].Split('=')[0];
        answer.Body.GetProperty("errors").EnumerateObject().Select(error => error.Name).ShouldBe([name]);
    }

    [Fact]
    public async Task A_known_parameter_is_accepted_in_any_case_and_a_position_with_zeros()
    {
        (await app.SendAsync(HttpMethod.Get, "/events/checksums?Resource=products&LIMIT=1", null))
            .Status.ShouldBe(HttpStatusCode.OK);
        (await app.SendAsync(HttpMethod.Get, "/events?After=0000000000000000000&limit=1", null))
            .Status.ShouldBe(HttpStatusCode.OK);
        (await app.SendAsync(HttpMethod.Post, "/admin/dead-letters/replay?dryRun=true&after=0&limit=1", null))
            .Status.ShouldNotBe(HttpStatusCode.BadRequest);
    }
}
