using System.Net;
using System.Text.Json;
using ApexShop.Commands.Api.Tests.Bulk;
using ApexShop.Commands.Api.Tests.Commands.Idempotency;
using ApexShop.Commands.Api.Tests.Events;
using ApexShop.Resources;
using ApexShop.TestKit;

namespace ApexShop.Commands.Api.Tests.Commands;

/// <summary>A replacement with the values that the aggregate has: no version, no event, the usual response.</summary>
public sealed class EqualReplacementTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    public static TheoryData<string> Resources => [.. Resource.Names];

    public static TheoryData<string> Lists => ["categories", "reviews", "users"];

    [Theory]
    [MemberData(nameof(Resources))]
    public async Task A_repeated_replacement_changes_nothing_and_has_the_same_response(string resource)
    {
        var (id, body) = await OneAsync(resource);
        var first = await app.Http.SendKeyedAsync("first", HttpMethod.Put, $"/{resource}/{id}", body);
        first.Answer.ShouldBeReplaced(id, 2);
        var before = await app.SnapshotAsync();

        var again = await app.Http.SendKeyedAsync("again", HttpMethod.Put, $"/{resource}/{id}", body);

        again.ShouldBe(first);
        (await app.PutAsync($"/{resource}/{id}", body, "\"2\"")).ShouldBeReplaced(id, 2);
        (await app.PutAsync($"/{resource}/{id}", body, "\"1\""))
            .ShouldBeProblem(HttpStatusCode.PreconditionFailed, "version.mismatch");
        (await app.SnapshotAsync()).ShouldBe(before);
    }

    [Theory]
    [MemberData(nameof(Lists))]
    public async Task In_a_list_only_items_with_other_values_change(string resource)
    {
        var (one, body) = await OneAsync(resource);
        var (two, other) = await OneAsync(resource);
        object[] list = [Item(two, other), Item(one, body)];
        (await app.PutAsync($"/{resource}/{one}", body)).ShouldBeReplaced(one, 2);

        var mixed = await PutAsync(resource, list);
        var before = await app.SnapshotAsync();
        var again = await PutAsync(resource, list);

        mixed.Answer.ShouldHaveReplaced([two, one], 2);
        (await app.OutboxAsync(resource, one)).Count.ShouldBe(2);
        again.Answer.Text.ShouldBe(mixed.Answer.Text);
        (await app.SnapshotAsync()).ShouldBe(before);
    }

    [Theory]
    [MemberData(nameof(Lists))]
    public async Task A_repeated_list_has_the_same_token(string resource)
    {
        var (one, body) = await OneAsync(resource);
        var (two, other) = await OneAsync(resource);
        object[] list = [Item(two, other), Item(one, body)];

        var first = await PutAsync(resource, list);
        var again = await PutAsync(resource, list);

        first.Token.ShouldNotBeNull();
        again.ShouldBe(first);
    }

    /// <summary>The last change of the larger id may be old, and that of the other one not visible yet.</summary>
    [Theory]
    [InlineData("categories", 0)]
    [InlineData("categories", 1)]
    [InlineData("categories", 2)]
    [InlineData("users", 1)]
    [InlineData("products", 1)]
    public async Task The_token_of_an_equal_list_has_the_last_change_of_all_its_items(string resource, int inLog)
    {
        var (one, body) = await OneAsync(resource);
        var (two, other) = await OneAsync(resource);
        (await app.PutAsync($"/{resource}/{two}", other)).ShouldBeReplaced(two, 2);
        if (inLog == 1) await LogShop.SequenceAsync(app);
        (await app.PutAsync($"/{resource}/{one}", body)).ShouldBeReplaced(one, 2);
        if (inLog == 2) await LogShop.SequenceAsync(app);

        var equal = await PutAsync(resource, [Item(one, body), Item(two, other)]);

        // The lines of products have a token each.
        var text = equal.Token ?? JsonDocument.Parse(equal.Answer.Text.Split('\n')[0]).RootElement
            .GetProperty("consistencyToken").GetString();
        TestKeys.Tokens.TryRead(text, out var token).ShouldBeTrue();
        token!.Changes.ShouldBe([new(resource, one, 2)]);
    }

    [Fact]
    public async Task A_password_is_a_change_even_if_it_is_the_same()
    {
        var body = ShopBuilder.UserBody();
        var id = (await app.PostAsync("/users", body)).Id;

        (await app.PutAsync($"/users/{id}", body)).ShouldBeReplaced(id, 2);
        (await app.PutAsync("/users/bulk", new[] { Item(id, body) })).ShouldHaveReplaced([id], 3);

        await app.ShouldAllHaveSaidAsync("users", [id], "apexshop.user.updated", 3);
    }

    // A replacement without a password: a password is always a change.
    private async Task<(int Id, object Body)> OneAsync(string resource)
    {
        var (id, body) = await app.AnyAsync(resource);
        return (id, resource == "users" ? Without(body, "password") : body);
    }

    private static Dictionary<string, object?> Item(int id, object body) => new(Members(body)) { ["id"] = id };

    private static Dictionary<string, object?> Without(object body, string member)
    {
        var members = Members(body);
        members.Remove(member);
        return members;
    }

    private static Dictionary<string, object?> Members(object body) => body as Dictionary<string, object?>
        ?? body.GetType().GetProperties().ToDictionary(member => member.Name, member => member.GetValue(body));

    private Task<KeyedResponse> PutAsync(string resource, object[] list) =>
        app.Http.SendKeyedAsync($"{Guid.NewGuid()}", HttpMethod.Put, $"/{resource}/bulk", list);
}
