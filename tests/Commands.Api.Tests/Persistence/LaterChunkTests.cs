using System.Net;
using ApexShop.Commands.Api.Tests.Commands.Idempotency;
using ApexShop.Consistency;
using ApexShop.TestKit;

namespace ApexShop.Commands.Api.Tests.Persistence;

/// <summary>A set-based command of several statements, of which a later one is refused.</summary>
public sealed class LaterChunkTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task A_change_that_fails_in_its_second_chunk_leaves_nothing_of_the_first()
    {
        var categoryId = await app.CategoryAsync();
        var products = await app.ManyProductsAsync(categoryId, 1_500);
        var users = await app.ManyUsersAsync(1_500, createdDaysAgo: 40);
        const string deactivate = "/users/bulk-deactivate-inactive?inactiveDays=30";

        await ShouldFailAsync(
            products + 1_400, HttpMethod.Patch, "/products/bulk-update-stock", new { categoryId, delta = 1 });
        await app.RefusedAtAsync(
            users + 1_400,
            async () => (await app.Http.SendKeyedAsync("all", HttpMethod.Patch, deactivate, new { })).Answer);

        (await app.CountAsync("products", $"category_id = {categoryId} AND version = 1 AND stock = 10"))
            .ShouldBe(1_500);
        (await app.CountAsync("users", $"id >= {users} AND is_active AND version = 1")).ShouldBe(1_500);
        (await app.CountAsync("outbox", $"aggregate_id >= {products}")).ShouldBe(0);
    }

    [Fact]
    public async Task An_interrupted_deactivation_without_a_key_keeps_its_chunks_and_the_next_one_does_the_rest()
    {
        var users = await app.ManyUsersAsync(1_500, createdDaysAgo: 400);
        const string deactivate = "/users/bulk-deactivate-inactive?inactiveDays=300";

        await ShouldFailAsync(users + 1_400, HttpMethod.Patch, deactivate, null);

        (await app.CountAsync("users", $"id >= {users} AND is_active AND version = 1")).ShouldBe(500);
        (await app.SaidAsTheyAreAsync("users", "apexshop.user.deactivated", $"r.id >= {users}")).ShouldBe(1_000);
        (await app.SendAsync(HttpMethod.Patch, deactivate, null)).Body.GetProperty("changed").GetInt32().ShouldBe(500);
        (await app.SaidAsTheyAreAsync("users", "apexshop.user.deactivated", $"r.id >= {users}")).ShouldBe(1_500);
    }

    [Fact]
    public async Task An_interrupted_deletion_by_age_keeps_its_chunks_and_events_and_the_next_one_deletes_the_rest()
    {
        var old = await app.ManyOrdersAsync(
            await app.UserAsync(), await app.ProductAsync(), 1_500, "Delivered", deliveredDaysAgo: 40);

        await ShouldFailAsync(old + 1_400, HttpMethod.Delete, "/orders/bulk-delete-old?olderThanDays=30", null);

        (await app.CountAsync("orders", $"id >= {old + 1_000}")).ShouldBe(500);
        (await app.SaidGoneAsync("orders", old, 1_000)).ShouldBe(1_000);
        (await app.SaidGoneAsync("orders", old + 1_000, 500)).ShouldBe(0);
        (await app.DeleteAsync("/orders/bulk-delete-old?olderThanDays=30")).Body.GetProperty("deleted")
            .GetInt32()
            .ShouldBe(500);
        (await app.SaidGoneAsync("orders", old, 1_500)).ShouldBe(1_500);
    }

    [Fact]
    public async Task The_token_of_the_answer_names_the_last_row_of_the_last_chunk()
    {
        var categoryId = await app.CategoryAsync();
        var first = await app.ManyProductsAsync(categoryId, 1_001);
        using var request = new HttpRequestMessage(HttpMethod.Patch, "/products/bulk-update-stock");
        request.Content = System.Net.Http.Json.JsonContent.Create(new { categoryId, stock = 1 });
        using var response = await app.Http.SendAsync(request);

        TestKeys.Tokens.TryRead(response.Headers.GetValues(ConsistencyToken.Header).Single(), out var token)
            .ShouldBeTrue();
        token!.Changes.ShouldBe([new("products", first + 1_000, 2)]);
    }

    private Task ShouldFailAsync(int id, HttpMethod method, string path, object? body) =>
        app.RefusedAtAsync(id, () => app.SendAsync(method, path, body));
}
