using System.Net;
using System.Net.Http.Json;
using ApexShop.Commands.Api.Tests.Bulk;
using ApexShop.Commands.Api.Users;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Identity;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.Users;

public sealed class BulkUsersTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Users_are_created_each_with_a_hash_of_their_own_password()
    {
        var users = Enumerable.Range(0, 12).Select(i => New($"own{i}@example.com", $"password {i}"));
        var ids = (await app.PostAsync("/users/bulk", users)).Ids;

        await app.ShouldAllHaveSaidAsync("users", ids, "apexshop.user.created", 1);
        var hash = await HashAsync(ids[5]);
        new PasswordHasher<User>()
            .VerifyHashedPassword(null!, hash!, "password 5")
            .ShouldBe(PasswordVerificationResult.Success);
        (await app.OutboxAsync("users", ids[5]))[0].Data.ShouldNotContain(hash!);
        (await app.ScalarAsync<string>($"SELECT email FROM shop.users WHERE id = {ids[5]}"))
            .ShouldBe("own5@example.com");
    }

    [Fact]
    public async Task Addresses_that_are_taken_or_occur_twice_are_listed()
    {
        await app.PostAsync("/users", ShopBuilder.UserBody("Here@example.com"));

        var answer = await app.PostAsync(
            "/users/bulk",
            new[] { New("a@example.com"), New("HERE@example.com"), New("b@example.com"), New("A@Example.com") });

        answer.ShouldBeProblem(HttpStatusCode.Conflict, "user.email_taken");
        answer.ErrorPaths.ShouldBe(["[1].email", "[3].email"]);
        (await app.ScalarAsync<long>("SELECT count(*) FROM shop.users WHERE lower(email) IN ('a@example.com', "
            + "'b@example.com')"))
            .ShouldBe(0);
    }

    [Fact]
    public async Task Of_lists_with_the_same_addresses_exactly_one_succeeds()
    {
        var emails = Enumerable.Range(0, 10).Select(i => $"race{i}@example.com").ToArray();
        var lists = Enumerable.Range(0, 6)
            .Select(
                i => (i % 2 == 0 ? emails : emails.Reverse())
                    .Select(email => New(i < 3 ? email : email.ToUpperInvariant())));

        var answers = await Task.WhenAll(lists.Select(list => app.PostAsync("/users/bulk", list)));

        var winner = answers.Where(answer => answer.Status == HttpStatusCode.Created).ShouldHaveSingleItem();
        foreach (var loser in answers.Except([winner]))
            loser.ShouldBeProblem(HttpStatusCode.Conflict, "user.email_taken");
        await app.ShouldAllHaveSaidAsync("users", winner.Ids, "apexshop.user.created", 1);
    }

    [Fact]
    public async Task Every_user_needs_a_password()
    {
        var answer = await app.PostAsync(
            "/users/bulk",
            new[] { New("p1@example.com"), New("p2@example.com", null), New("p3@example.com", "short") });
        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.ErrorPaths.ShouldBe(["[2].password"]);

        answer = await app.PostAsync("/users/bulk", new[] { New("p1@example.com"), New("p2@example.com", null) });
        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.ErrorPaths.ShouldBe(["[1].password"]);
    }

    [Fact]
    public async Task Users_are_replaced_and_keep_a_password_that_is_not_given()
    {
        var ids =
            (await app.PostAsync("/users/bulk", Enumerable.Range(0, 3).Select(i => New($"keep{i}@example.com")))).Ids;
        var hashes = new[] { await HashAsync(ids[0]), await HashAsync(ids[1]) };

        var answer = await app.PutAsync("/users/bulk", new[]
        {
            Item(ids[0], "KEEP0@example.com"), Item(ids[1], "else@example.com", password: "another one"),
            Item(ids[2], "keep2@example.com", isActive: false),
        });

        answer.ShouldHaveReplaced(ids, 2);
        await app.ShouldAllHaveSaidAsync("users", ids[..2], "apexshop.user.updated", 2);
        await app.ShouldAllHaveSaidAsync("users", ids[2..], "apexshop.user.deactivated", 2);
        (await HashAsync(ids[0])).ShouldBe(hashes[0]);
        new PasswordHasher<User>()
            .VerifyHashedPassword(null!, (await HashAsync(ids[1]))!, "another one")
            .ShouldBe(PasswordVerificationResult.Success);
    }

    [Fact]
    public async Task An_address_of_another_user_is_refused_even_if_the_same_list_changes_it()
    {
        var ids =
            (await app.PostAsync("/users/bulk", new[] { New("swap0@example.com"), New("swap1@example.com") })).Ids;

        var answer = await app.PutAsync(
            "/users/bulk", new[] { Item(ids[0], "swap1@example.com"), Item(ids[1], "Swap0@example.com") });
        var twice = await app.PutAsync(
            "/users/bulk", new[] { Item(ids[0], "new@example.com"), Item(ids[1], "NEW@example.com") });

        answer.ShouldBeProblem(HttpStatusCode.Conflict, "user.email_taken");
        answer.ErrorPaths.ShouldBe(["[0].email", "[1].email"]);
        twice.ErrorPaths.ShouldBe(["[1].email"]);
        await app.ShouldAllHaveSaidAsync("users", ids, "apexshop.user.created", 1);
    }

    [Fact]
    public async Task A_list_that_is_refused_has_no_password_hashed()
    {
        var id = (await app.PostAsync("/users/bulk", new[] { New("early@example.com") })).Ids[0];
        await using var api = CommandsApp.Start(app.Database.Commands).WithWebHostBuilder(host =>
            host.ConfigureServices(services => services.AddSingleton<IPasswordHasher<User>>(new NoHasher())));
        using var http = CommandsApp.Client(api, CommandsApp.Key);

        var unknown = await PutAsync(int.MaxValue);
        unknown.ShouldBeProblem(HttpStatusCode.NotFound, "user.not_found");
        (await PutAsync(id)).Status.ShouldBe(HttpStatusCode.InternalServerError);

        async Task<Answer> PutAsync(int other)
        {
            using var response = await http.PutAsJsonAsync(
                "/users/bulk", new[] { Item(other, "early@example.com", password: "another one") });
            return await Answer.ReadAsync(response);
        }
    }

    private static object New(string email, string? password = "correct horse") =>
        new { email, firstName = "Ada", lastName = "Lovelace", password };

    private static object Item(int id, string email, string? password = null, bool isActive = true) =>
        new { id, email, firstName = "Ada", lastName = "Lovelace", password, isActive };

    private Task<string?> HashAsync(int id) =>
        app.ScalarAsync<string>($"SELECT password_hash FROM shop.users WHERE id = {id}");

    private sealed class NoHasher : IPasswordHasher<User>
    {
        public string HashPassword(User user, string password) => throw new NotSupportedException();

        public PasswordVerificationResult VerifyHashedPassword(
            User user, string hashedPassword, string providedPassword) => throw new NotSupportedException();
    }
}
