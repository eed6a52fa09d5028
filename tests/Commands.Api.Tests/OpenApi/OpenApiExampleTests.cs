using System.Net;
using ApexShop.TestKit.OpenApi;

namespace ApexShop.Commands.Api.Tests.OpenApi;

/// <summary>In a new shop, since the examples are of aggregates with the id 1.</summary>
public sealed class OpenApiExampleTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Every_example_of_a_body_is_accepted_by_a_seeded_shop()
    {
        var operations = (await ApiDescription.ReadAsync(app.Http)).Operations
            .Where(operation => operation.Body is not null)
            .OrderBy(operation => operation.Id != "SeedShop").ThenBy(operation => operation.Method == "DELETE")
            // Its user is the example of another operation.
            .ThenBy(operation => operation.Id == "CreateSession")
            .ToList();

        operations.Count.ShouldBeGreaterThan(20);
        foreach (var operation in operations)
        {
            var path = operation.Path.Replace("{id}", "1", StringComparison.Ordinal);
            var answer = await app.SendAsync(
                HttpMethod.Parse(operation.Method), path,
                operation.Body!["content"]!["application/json"]!["example"]!.ToJsonString());

            // An example cannot be created twice, and what it deletes may be referred to by other rows.
            if (answer.Status == HttpStatusCode.Conflict) answer.Code.ShouldBeOneOf(
                "user.email_taken", "review.exists", "order.status_refused", "order.closed", "product.sold",
                "user.has_orders", "category.has_products", "product.sku_taken");
            else ((int)answer.Status).ShouldBeInRange(200, 299, $"{operation}: {answer.Text}");
        }
    }
}
