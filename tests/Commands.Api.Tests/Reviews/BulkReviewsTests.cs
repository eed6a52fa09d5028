using System.Net;
using System.Text.Json;
using ApexShop.Commands.Api.Tests.Bulk;
using ApexShop.Commands.Api.Tests.Users;
using ApexShop.TestKit;

namespace ApexShop.Commands.Api.Tests.Reviews;

public sealed class BulkReviewsTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Reviews_are_created_with_their_events_and_those_of_buyers_are_verified()
    {
        var (_, products) = await app.ProductsAsync(40);
        var (buyer, other) = (await app.UserAsync(), await app.UserAsync());
        await app.MoveOrderAsync(
            await app.OrderOfAsync(buyer, (products[3], 1), (products[7], 1)), "Processing", "Shipped", "Delivered");
        await app.OrderOfAsync(buyer, (products[4], 1));

        var reviews = products.SelectMany(product => new[] { Review(product, buyer), Review(product, other) });
        var ids = (await app.PostAsync("/reviews/bulk", reviews)).Ids;

        await app.ShouldAllHaveSaidAsync("reviews", ids, "apexshop.review.created", 1);
        (await app.ScalarAsync<string>(
            "SELECT string_agg(id::text, ',' ORDER BY id) FROM shop.reviews WHERE is_verified_purchase AND id = "
            + $"ANY (ARRAY[{string.Join(',', ids)}])"))
            .ShouldBe($"{ids[6]},{ids[14]}");
    }

    [Fact]
    public async Task What_there_is_not_is_named_by_its_path()
    {
        var (productId, userId) = (await app.ProductAsync(), await app.UserAsync());

        var products = await app.PostAsync(
            "/reviews/bulk", new[] { Review(productId, userId), Review(-1, userId), Review(-2, -2) });
        var users = await app.PostAsync("/reviews/bulk", new[] { Review(productId, -1), Review(productId, userId) });

        products.ShouldBeProblem(HttpStatusCode.Conflict, "review.product_unknown");
        products.ErrorPaths.ShouldBe(["[1].productId", "[2].productId"]);
        users.ShouldBeProblem(HttpStatusCode.Conflict, "review.user_unknown");
        users.ErrorPaths.ShouldBe(["[0].userId"]);
        (await app.ScalarAsync<long>($"SELECT count(*) FROM shop.reviews WHERE product_id = {productId}")).ShouldBe(0);
    }

    [Fact]
    public async Task Erased_users_are_named_by_their_paths_and_no_review_is_created()
    {
        var (productId, userId, erased) = (await app.ProductAsync(), await app.UserAsync(), await app.UserAsync());
        (await app.EraseAsync(erased)).Status.ShouldBe(HttpStatusCode.NoContent);

        var answer = await app.PostAsync(
            "/reviews/bulk", new[] { Review(productId, userId), Review(productId, erased) });

        answer.ShouldBeProblem(HttpStatusCode.Conflict, "user.erased");
        answer.ErrorPaths.ShouldBe(["[1].userId"]);
        (await app.CountAsync("reviews", $"product_id = {productId}")).ShouldBe(0);
    }

    [Fact]
    public async Task A_user_reviews_a_product_once_in_the_shop_and_in_the_list()
    {
        var (productId, first, second) = (await app.ProductAsync(), await app.UserAsync(), await app.UserAsync());
        await app.ReviewAsync(productId, first);

        var answer = await app.PostAsync(
            "/reviews/bulk", new[] { Review(productId, second), Review(productId, first), Review(productId, second) });

        answer.ShouldBeProblem(HttpStatusCode.Conflict, "review.exists");
        answer.ErrorPaths.ShouldBe(["[1].userId", "[2].userId"]);
        (await app.ScalarAsync<long>($"SELECT count(*) FROM shop.reviews WHERE product_id = {productId}")).ShouldBe(1);
    }

    [Fact]
    public async Task Of_lists_with_the_same_reviews_in_any_order_exactly_one_succeeds()
    {
        var (_, products) = await app.ProductsAsync(9);
        var userId = await app.UserAsync();
        await using var other = await app.Superuser.OpenConnectionAsync();
        await using var transaction = await other.BeginTransactionAsync();
        // Both lists stop at the fifth review: if each had written the end it begins with, neither could go on.
        await using (var fifth = other.CreateCommand())
        {
            fifth.CommandText =
                $"""
                INSERT INTO shop.reviews (id, product_id, user_id, rating, created_date, is_verified_purchase, version)
                VALUES (2000000000, {products[4]}, {userId}, 5, now(), false, 1)
                """;
            await fifth.ExecuteNonQueryAsync();
        }

        var lists = new[] { products, [.. products.Reverse()] }
            .Select(list => list.Select(product => Review(product, userId)).ToArray());
        var answers = lists.Select(list => app.PostAsync("/reviews/bulk", list)).ToArray();
        await Eventually.Holds(async () => await app.ScalarAsync<long>(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = "
            + "'Lock'") == 2, "both lists wait");
        await transaction.RollbackAsync();

        var winner = (await Task.WhenAll(answers))
            .Where(answer => answer.Status == HttpStatusCode.Created)
            .ShouldHaveSingleItem();
        (await Task.WhenAll(answers))
            .Except([winner])
            .ShouldHaveSingleItem()
            .ShouldBeProblem(HttpStatusCode.Conflict, "review.exists");
        await app.ShouldAllHaveSaidAsync("reviews", winner.Ids, "apexshop.review.created", 1);
    }

    [Fact]
    public async Task Reviews_are_replaced_and_keep_user_and_product()
    {
        var (_, products) = await app.ProductsAsync(50);
        var userId = await app.UserAsync();
        var ids = (await app.PostAsync("/reviews/bulk", products.Select(product => Review(product, userId)))).Ids;

        (await app.PutAsync("/reviews/bulk", ids.Select(id => new { id, rating = 1, version = 1 })))
            .ShouldHaveReplaced(ids, 2);

        await app.ShouldAllHaveSaidAsync("reviews", ids, "apexshop.review.updated", 2);
        var said = JsonDocument.Parse((await app.OutboxAsync("reviews", ids[7]))[^1].Data).RootElement;
        said.GetProperty("productId").GetInt32().ShouldBe(products[7]);
        said.GetProperty("userId").GetInt32().ShouldBe(userId);
        said.GetProperty("rating").GetInt32().ShouldBe(1);
    }

    [Fact]
    public async Task A_replacement_is_held_to_the_rules_of_a_single_one()
    {
        var missing = await app.PutAsync("/reviews/bulk", """[{"id":-3,"rating":1}]""");
        var invalid =
            await app.PutAsync("/reviews/bulk", """[{"id":1,"rating":6},{"id":2},{"id":3,"rating":1,"userId":1}]""");

        missing.ShouldBeProblem(HttpStatusCode.NotFound, "review.not_found");
        invalid.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        invalid.ErrorPaths.ShouldBe(["[0].rating", "[1].rating", "[2].userId"]);
    }

    private static object Review(int productId, int userId) =>
        new { productId, userId, rating = 5, comment = "Bright" };
}
