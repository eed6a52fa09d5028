using System.Net;
using ApexShop.Commands.Api.Tests.Concurrency;
using ApexShop.Commands.Api.Tests.Users;

namespace ApexShop.Commands.Api.Tests.Reviews;

public sealed class CreateReviewTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task The_response_has_location_and_version_and_the_event_equals_the_row()
    {
        var (productId, userId) = (await app.ProductAsync(), await app.UserAsync());

        var answer = await app.PostAsync("/reviews", new { productId, userId, rating = 5, comment = "Fine" });

        answer.ShouldBeCreated("reviews");
        var state = await app.ShouldHaveSaidAsync("reviews", answer.Id, "apexshop.review.created", 1);
        state.GetProperty("isVerifiedPurchase").GetBoolean().ShouldBeFalse();
    }

    [Fact]
    public async Task Is_a_verified_purchase_once_the_users_own_order_of_the_product_is_delivered()
    {
        var (bought, other, userId) = (await app.ProductAsync(), await app.ProductAsync(), await app.UserAsync());
        var orderId = await app.OrderOfAsync(userId, (bought, 1));
        await app.MoveOrderAsync(orderId, "Processing", "Shipped");
        var early = await app.ReviewAsync(bought, userId);
        await app.DeleteAsync($"/reviews/{early}");
        await app.MoveOrderAsync(orderId, "Delivered");

        (await IsVerifiedAsync(await app.ReviewAsync(bought, userId))).ShouldBeTrue();
        (await IsVerifiedAsync(await app.ReviewAsync(other, userId))).ShouldBeFalse();
        (await IsVerifiedAsync(await app.ReviewAsync(bought, await app.UserAsync()))).ShouldBeFalse();
        (await app.OutboxAsync("reviews", early))[0].Data.ShouldContain("\"isVerifiedPurchase\":false");
    }

    [Fact]
    public async Task A_user_has_one_review_of_a_product()
    {
        var (productId, userId) = (await app.ProductAsync(), await app.UserAsync());

        var answers = await Task.WhenAll(
            Enumerable.Range(0, 8).Select(_ => app.PostAsync("/reviews", new { productId, userId, rating = 1 })));

        answers.Count(answer => answer.Status == HttpStatusCode.Created).ShouldBe(1);
        answers.First(answer => answer.Status != HttpStatusCode.Created)
            .ShouldBeProblem(HttpStatusCode.Conflict, "review.exists");
        (await app.ScalarAsync<long>("SELECT count(*) FROM shop.outbox WHERE resource = 'reviews' AND "
            + $"(data->>'productId')::int = {productId}"))
            .ShouldBe(1);
    }

    [Fact]
    public async Task Refuses_a_product_or_user_that_does_not_exist()
    {
        var (productId, userId) = (await app.ProductAsync(), await app.UserAsync());
        (await app.PostAsync("/reviews", new { productId = int.MaxValue, userId, rating = 1 }))
            .ShouldBeProblem(HttpStatusCode.Conflict, "review.product_unknown");
        (await app.PostAsync("/reviews", new { productId, userId = int.MaxValue, rating = 1 }))
            .ShouldBeProblem(HttpStatusCode.Conflict, "review.user_unknown");
    }

    [Fact]
    public async Task An_erased_user_cannot_write_a_new_review_and_an_earlier_one_can_be_replaced()
    {
        var (productId, userId) = (await app.ProductAsync(), await app.UserAsync());
        var earlier = await app.ReviewAsync(await app.ProductAsync(), userId);
        (await app.EraseAsync(userId)).Status.ShouldBe(HttpStatusCode.NoContent);

        (await app.PostAsync("/reviews", new { productId, userId, rating = 5, comment = "Ada Lovelace" }))
            .ShouldBeProblem(HttpStatusCode.Conflict, "user.erased");

        (await app.CountAsync("reviews", $"product_id = {productId}")).ShouldBe(0);
        (await app.PutAsync($"/reviews/{earlier}", new { rating = 1 })).ShouldBeReplaced(earlier, 2);
    }

    [Fact]
    public async Task A_review_that_waits_for_the_erasure_of_its_user_is_refused()
    {
        var (productId, userId) = (await app.ProductAsync(), await app.UserAsync());
        var body = new { productId, userId, rating = 5, comment = "Ada Lovelace" };
        await using var held = await HeldRow.LockAsync(app, "users", userId);
        await held.ExecuteAsync($"UPDATE shop.users SET password_hash = '' WHERE id = {userId}");

        var answers = new[] { app.PostAsync("/reviews", body), app.PostAsync("/reviews/bulk", new[] { body }) };
        await held.WaitedForByAsync(2);
        await held.CommitAsync();

        foreach (var answer in await Task.WhenAll(answers))
            answer.ShouldBeProblem(HttpStatusCode.Conflict, "user.erased");
    }

    private Task<bool> IsVerifiedAsync(int id) =>
        app.ScalarAsync<bool>($"SELECT is_verified_purchase FROM shop.reviews WHERE id = {id}");
}

public sealed class UpdateReviewTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Replaces_rating_and_comment_and_raises_the_version_by_one()
    {
        var id = await app.ReviewAsync(await app.ProductAsync(), await app.UserAsync());

        (await app.PutAsync($"/reviews/{id}", new { rating = 1 }, "\"1\"")).ShouldBeReplaced(id, 2);

        var state = await app.ShouldHaveSaidAsync("reviews", id, "apexshop.review.updated", 2);
        state.GetProperty("rating").GetInt32().ShouldBe(1);
        state.GetProperty("comment").ValueKind.ShouldBe(System.Text.Json.JsonValueKind.Null);
        (await app.PutAsync($"/reviews/{id}", new { rating = 1 }, "\"1\""))
            .ShouldBeProblem(HttpStatusCode.PreconditionFailed, "version.mismatch");
        (await app.PutAsync("/reviews/2147483647", new { rating = 1 }))
            .ShouldBeProblem(HttpStatusCode.NotFound, "review.not_found");
    }
}

public sealed class DeleteReviewTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Deletes_the_row_and_writes_an_event()
    {
        var id = await app.ReviewAsync(await app.ProductAsync(), await app.UserAsync());

        (await app.DeleteAsync($"/reviews/{id}")).Status.ShouldBe(HttpStatusCode.NoContent);

        await app.ShouldBeGoneAsync("reviews", id, "apexshop.review.deleted", 2);
    }
}
