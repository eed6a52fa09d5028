using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using ApexShop.Consistency;
using ApexShop.TestKit;

namespace ApexShop.Commands.Api.Tests.Bulk;

/// <summary>DELETE /R/bulk of the four resources that have it.</summary>
public sealed class BulkDeleteTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private static readonly int[] nowhere = [2_000_000_001, 2_000_000_000];

    [Fact]
    public async Task A_thousand_products_go_by_one_statement_and_their_reviews_by_one()
    {
        var first = await app.ManyProductsAsync(await app.CategoryAsync(), 1_000);
        var firstReview = await app.ManyReviewsAsync(first, 500, daysAgo: 1);
        await app.ScalarAsync<object>(
            $"UPDATE shop.reviews SET product_id = product_id + (id - {firstReview}) % 300 WHERE id >= {firstReview}");

        var answer = await DeleteAsync("products", Enumerable.Range(first, 1_000));

        ShouldHaveDeleted(answer, 1_000);
        (await app.CountAsync("products", $"id >= {first} AND id < {first + 1_000}")).ShouldBe(0);
        (await app.SaidGoneAsync("products", first, 1_000)).ShouldBe(1_000);
        (await app.SaidGoneAsync("reviews", firstReview, 500)).ShouldBe(500);
        (await app.StatementsAsync("products", first, 1_000)).ShouldBe("1 in 1");
        (await app.StatementsAsync("reviews", firstReview, 500)).ShouldBe("1 in 1");
    }

    [Fact]
    public async Task Users_may_have_more_reviews_than_a_statement_deletes()
    {
        var products = await app.ManyProductsAsync(await app.CategoryAsync(), 2_500);
        var (ada, grace) = (await app.UserAsync(), await app.UserAsync());
        await app.ScalarAsync<object>(
            $"""
            INSERT INTO shop.reviews (id, product_id, user_id, rating, created_date, is_verified_purchase, version)
            SELECT i, i, CASE WHEN i % 2 = 0 THEN {ada} ELSE {grace} END, 5, now(), false, 1
                FROM generate_series({products}, {products + 2_499}) AS i
            """);

        ShouldHaveDeleted(await DeleteAsync("users", [grace, ada]), 2);

        await app.ShouldBeGoneAsync("users", ada, "apexshop.user.deleted", 2);
        (await app.SaidGoneAsync("reviews", products, 2_500)).ShouldBe(2_500);
        (await app.StatementsAsync("reviews", products, 2_500)).ShouldBe("3 in 1");
    }

    [Fact]
    public async Task Categories_and_reviews_go_and_what_is_not_there_is_named()
    {
        var (categoryId, productId) = (await app.CategoryAsync(), await app.ProductAsync());
        var review = await app.ReviewAsync(productId, await app.UserAsync());

        ShouldHaveDeleted(await DeleteAsync("categories", [nowhere[0], categoryId, nowhere[1]]), 1, nowhere.Order());
        ShouldHaveDeleted(await DeleteAsync("reviews", [review, -5]), 1, [-5]);
        ShouldHaveDeleted(await DeleteAsync("users", nowhere), 0, nowhere.Order());

        await app.ShouldBeGoneAsync("categories", categoryId, "apexshop.category.deleted", 2);
        await app.ShouldBeGoneAsync("reviews", review, "apexshop.review.deleted", 2);
    }

    [Fact]
    public async Task A_product_that_was_sold_keeps_all_and_is_named_with_its_orders()
    {
        var (free, sold, alsoSold) = (await app.ProductAsync(), await app.ProductAsync(), await app.ProductAsync());
        await app.ReviewAsync(free, await app.UserAsync());
        var (first, second) = (await app.OrderAsync((sold, 1)), await app.OrderAsync((sold, 1), (alsoSold, 1)));

        var answer = await DeleteAsync("products", [alsoSold, free, sold]);

        ShouldBeBlocked(answer, "product.sold", "orders", (sold, [first, second]), (alsoSold, [second]));
        (await app.CountAsync("products", $"id IN ({free}, {sold}, {alsoSold})")).ShouldBe(3);
        (await app.CountAsync("reviews", $"product_id = {free}")).ShouldBe(1);
    }

    [Fact]
    public async Task A_category_with_products_and_a_user_with_orders_keep_all()
    {
        var (full, empty) = (await app.CategoryAsync(), await app.CategoryAsync());
        var productId = await app.ManyProductsAsync(full, 1);
        var (customer, visitor) = (await app.UserAsync(), await app.UserAsync());
        var orderId = await app.OrderOfAsync(customer, (productId, 1));

        ShouldBeBlocked(
            await DeleteAsync("categories", [empty, full]), "category.has_products", "products", (full, [productId]));
        ShouldBeBlocked(
            await DeleteAsync("users", [customer, visitor]), "user.has_orders", "orders", (customer, [orderId]));

        (await app.VersionAsync("categories", empty)).ShouldBe(1);
        (await app.VersionAsync("users", visitor)).ShouldBe(1);
    }

    [Fact]
    public async Task Of_many_in_the_way_the_first_twenty_are_named_with_twenty_each()
    {
        var (first, userId) = (await app.ManyProductsAsync(await app.CategoryAsync(), 30), await app.UserAsync());
        for (var i = 0; i < 30; i++) await app.ManyOrdersAsync(userId, first + i, 25, "Shipped", null);

        var answer = await DeleteAsync("products", Enumerable.Range(first, 30).Reverse());

        answer.ShouldBeProblem(HttpStatusCode.Conflict, "product.sold");
        var items = answer.Body.GetProperty("blockedBy").GetProperty("items").EnumerateArray().ToList();
        items.Select(item => item.GetProperty("id").GetInt32()).ShouldBe(Enumerable.Range(first, 20));
        items.ShouldAllBe(item => item.GetProperty("ids").GetArrayLength() == 20);
    }

    [Theory]
    [InlineData("products")]
    [InlineData("categories")]
    [InlineData("reviews")]
    [InlineData("users")]
    public async Task Refuses_a_list_that_is_none_of_ids(string resource)
    {
        (await SendAsync(resource, "[]")).ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        (await SendAsync(resource, "[1,\"2\"]")).Body.GetProperty("errors").TryGetProperty("[1]", out _).ShouldBeTrue();
        (await SendAsync(resource, "[7,8,7]")).Body.GetProperty("errors").TryGetProperty("[2]", out _).ShouldBeTrue();
        (await SendAsync(resource, $"[{string.Join(',', Enumerable.Range(1, 1_001))}]"))
            .ShouldBeProblem(HttpStatusCode.RequestEntityTooLarge, "bulk.too_many");
    }

    [Theory]
    [InlineData("products")]
    [InlineData("categories")]
    [InlineData("reviews")]
    [InlineData("users")]
    public async Task The_token_of_a_repeated_deletion_has_the_last_event_of_the_list(string resource)
    {
        var (one, other) = ((await app.AnyAsync(resource)).Id, (await app.AnyAsync(resource)).Id);

        (await TokenAsync(resource, other)).ShouldBe([new(resource, other, 2)]);
        (await TokenAsync(resource, one, other)).ShouldBe([new(resource, one, 2)]);

        (await TokenAsync(resource, one, other)).ShouldBe([new(resource, one, 2)]);
        (await TokenAsync(resource, other)).ShouldBe([new(resource, other, 2)]);
        (await TokenAsync(resource, nowhere)).ShouldBeEmpty();
    }

    private static void ShouldHaveDeleted(Answer answer, int deleted, IEnumerable<int>? notFound = null)
    {
        answer.Status.ShouldBe(HttpStatusCode.OK, answer.Text);
        answer.Body.GetProperty("deleted").GetInt32().ShouldBe(deleted);
        Ids(answer.Body.GetProperty("notFound")).ShouldBe(notFound ?? []);
    }

    private static void ShouldBeBlocked(
        Answer answer, string code, string resource, params (int Id, int[] By)[] blocked)
    {
        answer.ShouldBeProblem(HttpStatusCode.Conflict, code);
        var blockedBy = answer.Body.GetProperty("blockedBy");
        blockedBy.GetProperty("resource").GetString().ShouldBe(resource);
        var items = blockedBy.GetProperty("items").EnumerateArray().ToList();
        items.Select(item => item.GetProperty("id").GetInt32()).ShouldBe(blocked.Select(row => row.Id));
        items.Zip(blocked).ShouldAllBe(pair => Ids(pair.First.GetProperty("ids")).SequenceEqual(pair.Second.By));
    }

    private static IEnumerable<int> Ids(JsonElement list) => list.EnumerateArray().Select(id => id.GetInt32());

    private async Task<IReadOnlyList<ConsistencyToken.Change>> TokenAsync(string resource, params int[] ids)
    {
        using var request = new HttpRequestMessage(HttpMethod.Delete, $"/{resource}/bulk")
        {
            Content = JsonContent.Create(ids),
        };
        using var response = await app.Http.SendAsync(request);
        response.StatusCode.ShouldBe(HttpStatusCode.OK);
        TestKeys.Tokens.TryRead(response.Headers.GetValues(ConsistencyToken.Header).Single(), out var token)
            .ShouldBeTrue();
        return token!.Changes;
    }

    private Task<Answer> DeleteAsync(string resource, IEnumerable<int> ids) =>
        app.SendAsync(HttpMethod.Delete, $"/{resource}/bulk", ids);

    private Task<Answer> SendAsync(string resource, string body) =>
        app.SendAsync(HttpMethod.Delete, $"/{resource}/bulk", body);
}
