using System.Net;
using System.Net.Http.Json;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Persistence;

/// <summary>
/// A migration may add a column while processes of the release before it run: their prepared statements stay valid.
/// </summary>
public sealed class AddedColumnTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    // A connection prepares a statement at its fifth use.
    private const int Uses = 6;

    [Theory]
    [InlineData("categories")]
    [InlineData("products")]
    [InlineData("reviews")]
    [InlineData("users")]
    public async Task A_list_is_replaced_after_a_column_was_added(string resource)
    {
        await using var api = CommandsApp.Start($"{app.Database.Commands};Maximum Pool Size=1");
        using var http = CommandsApp.Client(api, CommandsApp.Key);
        var item = await ItemAsync(resource);
        for (var use = 1; use <= Uses; use++)
            (await ReplaceAsync(http, resource, item(use))).ShouldBe(HttpStatusCode.OK);

        await ChangeAsync($"ALTER TABLE shop.{resource} ADD COLUMN added text");
        try
        {
            (await ReplaceAsync(http, resource, item(Uses + 1))).ShouldBe(HttpStatusCode.OK);
        }
        finally
        {
            await ChangeAsync($"ALTER TABLE shop.{resource} DROP COLUMN added");
        }
    }

    private async Task<Func<int, object>> ItemAsync(string resource)
    {
        var (category, user) = (await app.CategoryAsync(), await app.UserAsync());
        var product = await app.ProductAsync();
        var review = await app.ReviewAsync(product, user);
        var email = $"{Guid.NewGuid():N}@example.com";
        return use => resource switch
        {
            "categories" => new { id = category, name = $"Lamps {use}" },
            "products" => new { id = product, name = $"Lamp {use}", price = 1, categoryId = category },
            "reviews" => new { id = review, rating = 4, comment = $"Lamp {use}" },
            _ => new { id = user, email, firstName = $"A{use}", lastName = "B" },
        };
    }

    private static async Task<HttpStatusCode> ReplaceAsync(HttpClient http, string resource, object item)
    {
        using var response = await http.PutAsJsonAsync($"/{resource}/bulk", new[] { item });
        return response.StatusCode;
    }

    private async Task ChangeAsync(string sql)
    {
        await using var owner = new NpgsqlConnection(app.Database.ShopOwner);
        await owner.OpenAsync();
        await using var change = new NpgsqlCommand(sql, owner);
        await change.ExecuteNonQueryAsync();
    }
}
