using System.Net;
using ApexShop.Access;
using ApexShop.Consistency;
using ApexShop.TestKit;

namespace ApexShop.Commands.Api.Tests.Users;

public sealed class EraseUserTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task The_user_and_the_orders_get_placeholders_and_the_reviews_stay()
    {
        var product = await app.ProductAsync();
        var (user, closed) = await app.BuyerAsync(product);
        var review = await app.ReviewAsync(product, user);
        var before = await app.VersionAsync("users", user);

        using var response = await app.Http.PostAsync($"/users/{user}/erase", null);

        response.StatusCode.ShouldBe(HttpStatusCode.NoContent);
        TestKeys.Tokens.TryRead(response.Headers.GetValues(ConsistencyToken.Header).Single(), out var token)
            .ShouldBeTrue();
        token!.Changes.ShouldContain(new ConsistencyToken.Change("users", user, before + 1));
        var state = await app.ShouldHaveSaidAsync("users", user, "apexshop.user.erased", before + 1);
        state.GetProperty("email").GetString().ShouldBe($"erased-{user}@erased.invalid");
        (state.GetProperty("firstName").GetString(), state.GetProperty("lastName").GetString())
            .ShouldBe(("Erased", "Customer"));
        foreach (var none in (string[])["phoneNumber", "lastLoginDate"])
            state.GetProperty(none).GetString().ShouldBeNull();
        state.GetProperty("isActive").GetBoolean().ShouldBeFalse();
        var order = await app.ShouldHaveSaidAsync("orders", closed, "apexshop.order.updated", 5);
        order.GetProperty("shippingAddress").GetString().ShouldBe("Erased");
        order.GetProperty("trackingNumber").GetString().ShouldBeNull();
        order.GetProperty("items").GetArrayLength().ShouldBe(1);
        (await app.CountAsync("reviews", $"id = {review} AND user_id = {user} AND version = 1")).ShouldBe(1);
    }

    [Fact]
    public async Task Erasing_again_changes_nothing()
    {
        var (user, order) = await app.BuyerAsync(await app.ProductAsync());
        (await app.EraseAsync(user)).Status.ShouldBe(HttpStatusCode.NoContent);
        var before = await app.EventsAsync(user, order);

        (await app.EraseAsync(user)).Status.ShouldBe(HttpStatusCode.NoContent);

        (await app.EventsAsync(user, order)).ShouldBe(before);
        (await app.VersionAsync("orders", order)).ShouldBe(5);
    }

    [Fact]
    public async Task No_other_user_can_take_the_address_of_an_erased_one()
    {
        var (user, _) = await app.BuyerAsync(await app.ProductAsync());
        var body = new
        {
            email = $"Erased-{user}@ERASED.invalid", password = "correct horse", firstName = "A", lastName = "B",
        };
        (await app.PostAsync("/users", body)).ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        (await app.PostAsync("/users/bulk", new[] { body }))
            .ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");

        (await app.EraseAsync(user)).Status.ShouldBe(HttpStatusCode.NoContent);
    }

    [Fact]
    public async Task An_import_does_not_write_the_person_again()
    {
        var (user, _) = await app.BuyerAsync(await app.ProductAsync());
        var other = await app.UserAsync();
        await app.EraseAsync(user);
        var before = await app.EventsAsync(user, 0);
        var person = new
        {
            email = $"ada{user}@example.com", firstName = "Ada", lastName = "Lovelace", isActive = true,
        };

        (await app.PutAsync($"/users/{user}", person)).ShouldBeProblem(HttpStatusCode.Conflict, "user.erased");
        (await app.SendAsync(HttpMethod.Patch, $"/users/{user}", new { firstName = "Ada" }))
            .ShouldBeProblem(HttpStatusCode.Conflict, "user.erased");
        var list = await app.PutAsync("/users/bulk", new[]
        {
            new { id = other, person.email, person.firstName, person.lastName, person.isActive },
            new { id = user, email = "b" + person.email, person.firstName, person.lastName, person.isActive },
        });
        list.ShouldBeProblem(HttpStatusCode.Conflict, "user.erased");
        list.Body.GetProperty("errors").EnumerateObject().Single().Name.ShouldBe("[1].id");

        (await app.EventsAsync(user, 0)).ShouldBe(before);
        (await app.VersionAsync("users", other)).ShouldBe(1);
    }

    [Theory]
    [InlineData("erased-1@erased.invalid")]
    [InlineData("erased-1@ERASED.INVALID")]
    // PostgreSQL takes this letter for an i.
    [InlineData("erased-1@erased.\u0130nvalid")]
    public async Task No_other_user_can_have_the_address_of_an_erased_person(string email)
    {
        var answer = await app.PostAsync("/users", ShopBuilder.UserBody(email));

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.Body.GetProperty("errors").EnumerateObject().Single().Name.ShouldBe("email");
    }

    [Fact]
    public async Task No_password_opens_the_account_even_if_it_is_activated_again()
    {
        var (user, _) = await app.BuyerAsync(await app.ProductAsync());
        await app.EraseAsync(user);
        var email = $"erased-{user}@erased.invalid";
        await app.ScalarAsync<int>($"UPDATE shop.users SET is_active = true WHERE id = {user} RETURNING id");

        foreach (var password in (string[])["correct horse", "erased"])
        {
            (await app.PostAsync("/sessions", new { email, password }))
                .ShouldBeProblem(HttpStatusCode.Unauthorized, "session.refused");
        }
    }

    [Theory]
    [InlineData]
    [InlineData("Processing")]
    [InlineData("Processing", "Shipped")]
    public async Task A_user_who_waits_for_an_order_is_refused_and_keeps_all(params string[] statuses)
    {
        var product = await app.ProductAsync();
        var (user, closed) = await app.BuyerAsync(product);
        var open = await app.OrderOfAsync(user, (product, 1));
        await app.MoveOrderAsync(open, statuses);
        var before = await app.EventsAsync(user, closed, open);

        var answer = await app.EraseAsync(user);

        answer.ShouldBeProblem(HttpStatusCode.Conflict, "user.has_open_orders");
        var blockedBy = answer.Body.GetProperty("blockedBy");
        blockedBy.GetProperty("resource").GetString().ShouldBe("orders");
        blockedBy.GetProperty("ids").GetRawText().ShouldBe($"[{open}]");
        (await app.EventsAsync(user, closed, open)).ShouldBe(before);
    }

    [Fact]
    public async Task The_version_is_compared_before_any_change()
    {
        var (user, order) = await app.BuyerAsync(await app.ProductAsync());
        var version = await app.VersionAsync("users", user);

        (await app.EraseAsync(user, "\"99\"")).ShouldBeProblem(HttpStatusCode.PreconditionFailed, "version.mismatch");
        (await app.VersionAsync("orders", order)).ShouldBe(4);
        (await app.EraseAsync(user, $"\"{version}\"")).Status.ShouldBe(HttpStatusCode.NoContent);
    }

    [Fact]
    public async Task Needs_a_scope_of_its_own()
    {
        var user = await app.UserAsync();
        foreach (var scope in (string[])[Scopes.UsersWrite, Scopes.UsersErase])
        {
            using var http = app.ClientWith(scope);
            using var response = await http.PostAsync($"/users/{user}/erase", null);
            response.StatusCode.ShouldBe(
                scope == Scopes.UsersErase ? HttpStatusCode.NoContent : HttpStatusCode.Forbidden);
        }
    }
}
