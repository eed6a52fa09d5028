using System.Net;
using ApexShop.Commands.Api.Users;
using Microsoft.AspNetCore.Identity;

namespace ApexShop.Commands.Api.Tests.Users;

public sealed class CreateUserTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task The_response_has_location_and_version_and_the_event_equals_the_row()
    {
        var answer = await app.PostAsync("/users", ShopBuilder.UserBody("Grace@Example.com"));

        answer.ShouldBeCreated("users");
        var state = await app.ShouldHaveSaidAsync("users", answer.Id, "apexshop.user.created", 1);
        state.GetProperty("email").GetString().ShouldBe("Grace@Example.com");
        state.GetProperty("isActive").GetBoolean().ShouldBeTrue();
    }

    [Fact]
    public async Task Keeps_the_password_as_a_hash_in_the_row_and_nowhere_else()
    {
        var answer = await app.PostAsync("/users", ShopBuilder.UserBody());

        var hash = await app.ScalarAsync<string>($"SELECT password_hash FROM shop.users WHERE id = {answer.Id}");
        new PasswordHasher<User>()
            .VerifyHashedPassword(null!, hash!, "correct horse")
            .ShouldBe(PasswordVerificationResult.Success);
        var said = (await app.OutboxAsync("users", answer.Id)).ShouldHaveSingleItem().Data;
        said.ShouldNotContain("assword");
        said.ShouldNotContain(hash!);
    }

    [Fact]
    public async Task An_address_belongs_to_one_user_whatever_its_case()
    {
        await app.PostAsync("/users", ShopBuilder.UserBody("once@example.com"));

        (await app.PostAsync("/users", ShopBuilder.UserBody("ONCE@example.COM")))
            .ShouldBeProblem(HttpStatusCode.Conflict, "user.email_taken");
    }

    [Theory]
    [InlineData("once\u200B@example.com")]
    [InlineData("\u202Eonce@example.com")]
    [InlineData("once@example.c\u00ADom")]
    [InlineData("once\u3164@example.com")]
    [InlineData("once\uFE0F@example.com")]
    // Characters outside the basic plane.
    [InlineData("once\U000E0041@example.com")]
    [InlineData("once\U000E0100@example.com")]
    public async Task An_address_with_a_character_that_no_screen_shows_is_refused(string email)
    {
        var answer = await app.PostAsync("/users", ShopBuilder.UserBody(email));

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.Body.GetProperty("errors").EnumerateObject().ShouldHaveSingleItem().Name.ShouldBe("email");
    }

    [Fact]
    public async Task Of_concurrent_users_with_the_same_address_one_succeeds()
    {
        string[] spellings = ["race@example.com", "Race@example.com", "RACE@EXAMPLE.COM", "race@Example.Com"];

        var answers = await Task.WhenAll(
            spellings.Concat(spellings).Select(email => app.PostAsync("/users", ShopBuilder.UserBody(email))));

        answers.Count(answer => answer.Status == HttpStatusCode.Created).ShouldBe(1);
        answers.Count(answer => answer.Status == HttpStatusCode.Conflict && answer.Code == "user.email_taken")
            .ShouldBe(7);
    }

    [Fact]
    public async Task Needs_a_password()
    {
        var answer =
            await app.PostAsync("/users", new { email = "no@password.example", firstName = "A", lastName = "B" });

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.Body.GetProperty("errors").TryGetProperty("password", out _).ShouldBeTrue();
    }
}

public sealed class UpdateUserTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Replaces_the_user_and_keeps_a_password_that_is_not_given()
    {
        var id = await app.UserAsync();
        var before = await HashAsync(id);

        var answer = await app.PutAsync(
            $"/users/{id}",
            new { email = "new@example.com", firstName = "A", lastName = "B", phoneNumber = "+44 20 7946 0000" });

        answer.ShouldBeReplaced(id, 2);
        var state = await app.ShouldHaveSaidAsync("users", id, "apexshop.user.updated", 2);
        state.GetProperty("phoneNumber").GetString().ShouldBe("+44 20 7946 0000");
        (await HashAsync(id)).ShouldBe(before);
    }

    [Fact]
    public async Task Sets_a_password_that_is_given()
    {
        var id = await app.UserAsync();
        var before = await HashAsync(id);

        (await app.PutAsync($"/users/{id}", ShopBuilder.UserBody())).ShouldBeReplaced(id, 2);

        (await HashAsync(id)).ShouldNotBe(before);
    }

    [Fact]
    public async Task A_deactivation_has_its_own_event()
    {
        var id = await app.UserAsync();

        await app.PutAsync(
            $"/users/{id}", new { email = "gone@example.com", firstName = "A", lastName = "B", isActive = false });

        await app.ShouldHaveSaidAsync("users", id, "apexshop.user.deactivated", 2);
    }

    [Fact]
    public async Task Refuses_an_address_of_another_user_and_what_is_not_there()
    {
        await app.PostAsync("/users", ShopBuilder.UserBody("taken@example.com"));

        (await app.PutAsync($"/users/{await app.UserAsync()}", ShopBuilder.UserBody("Taken@example.com")))
            .ShouldBeProblem(HttpStatusCode.Conflict, "user.email_taken");
        (await app.PutAsync("/users/2147483647", ShopBuilder.UserBody()))
            .ShouldBeProblem(HttpStatusCode.NotFound, "user.not_found");
    }

    private Task<string?> HashAsync(int id) =>
        app.ScalarAsync<string>($"SELECT password_hash FROM shop.users WHERE id = {id}");
}

public sealed class DeleteUserTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Deletes_the_reviews_each_with_an_event()
    {
        var id = await app.UserAsync();
        var reviews = new[]
        {
            await app.ReviewAsync(await app.ProductAsync(), id), await app.ReviewAsync(await app.ProductAsync(), id),
        };

        (await app.DeleteAsync($"/users/{id}")).Status.ShouldBe(HttpStatusCode.NoContent);

        await app.ShouldBeGoneAsync("users", id, "apexshop.user.deleted", 2);
        foreach (var review in reviews) await app.ShouldBeGoneAsync("reviews", review, "apexshop.review.deleted", 2);
    }

    [Fact]
    public async Task Is_refused_while_there_are_orders_and_lists_them()
    {
        var id = await app.UserAsync();
        var orderId = await app.OrderOfAsync(id, (await app.ProductAsync(), 1));

        var answer = await app.DeleteAsync($"/users/{id}");

        answer.ShouldBeProblem(HttpStatusCode.Conflict, "user.has_orders");
        answer.Body.GetProperty("blockedBy").GetProperty("ids")[0].GetInt32().ShouldBe(orderId);
    }
}
