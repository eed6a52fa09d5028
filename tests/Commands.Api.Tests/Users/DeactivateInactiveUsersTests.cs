using System.Net;

namespace ApexShop.Commands.Api.Tests.Users;

public sealed class DeactivateInactiveUsersTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Deactivates_by_the_last_login_or_the_creation_without_one_chunk_by_chunk()
    {
        var loggedIn = await app.ManyUsersAsync(1_200, createdDaysAgo: 500, loginDaysAgo: 31);
        var never = await app.ManyUsersAsync(1_200, createdDaysAgo: 31);
        var active = await app.ManyUsersAsync(3, createdDaysAgo: 500, loginDaysAgo: 29);
        var fresh = await app.ManyUsersAsync(3, createdDaysAgo: 29);
        var gone = await app.ManyUsersAsync(3, createdDaysAgo: 500);
        await app.ScalarAsync<object>($"UPDATE shop.users SET is_active = false WHERE id >= {gone}");

        var answer = await PatchAsync(30);

        answer.Status.ShouldBe(HttpStatusCode.OK, answer.Text);
        answer.Body.GetProperty("changed").GetInt32().ShouldBe(2_400);
        (await app.SaidAsTheyAreAsync("users", "apexshop.user.deactivated", "NOT r.is_active AND r.version = 2"))
            .ShouldBe(2_400);
        (await app.StatementsAsync("users", loggedIn, never + 1_200 - loggedIn)).ShouldBe("3 in 3");
        (await app.CountAsync("users", $"id IN ({active}, {active + 2}, {fresh}, {fresh + 2}) AND is_active AND "
            + "version = 1"))
            .ShouldBe(4);
        (await app.CountAsync("users", $"id >= {gone} AND version = 1")).ShouldBe(3);
        (await PatchAsync(30)).Body.GetProperty("changed").GetInt32().ShouldBe(0);
    }

    private Task<Answer> PatchAsync(int days) =>
        app.SendAsync(HttpMethod.Patch, $"/users/bulk-deactivate-inactive?inactiveDays={days}", null);
}

public sealed class ActiveUsersTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task A_user_with_a_recent_order_or_login_is_active()
    {
        var product = await app.ProductAsync();
        var (ordered, loggedIn) = (await app.UserAsync(), await app.UserAsync());
        var (orderedLongAgo, neither) = (await app.UserAsync(), await app.UserAsync());
        await app.OrderOfAsync(ordered, (product, 1));
        var order = await app.OrderOfAsync(orderedLongAgo, (product, 1));
        int[] all = [ordered, loggedIn, orderedLongAgo, neither];
        await app.ScalarAsync<object>(
            $"UPDATE shop.users SET created_date = now() - interval '500 days' WHERE id IN ({string.Join(", ", all)})");
        await app.ScalarAsync<object>(
            $"UPDATE shop.orders SET order_date = now() - interval '31 days' WHERE id = {order}");
        (await app.CustomerAsync(loggedIn)).Dispose();

        (await app.SendAsync(HttpMethod.Patch, "/users/bulk-deactivate-inactive?inactiveDays=30", null))
            .Status.ShouldBe(HttpStatusCode.OK);

        foreach (var id in all)
            (await app.ScalarAsync<bool>($"SELECT is_active FROM shop.users WHERE id = {id}"))
                .ShouldBe(id == ordered || id == loggedIn, $"user {id} of {string.Join(", ", all)}");
    }
}
