using System.Net;
using ApexShop.Commands.Api.Tests.Bulk;

namespace ApexShop.Commands.Api.Tests.Categories;

public sealed class BulkCategoriesTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Categories_are_created_with_their_events()
    {
        var ids = (await app.PostAsync("/categories/bulk", New(30))).Ids;

        await app.ShouldAllHaveSaidAsync("categories", ids, "apexshop.category.created", 1);
        (await app.ScalarAsync<string>($"SELECT name FROM shop.categories WHERE id = {ids[29]}")).ShouldBe("Board 29");
    }

    [Fact]
    public async Task A_thousand_are_replaced_with_their_events_and_answered_in_the_order_of_the_list()
    {
        int[] ids = [.. (await app.PostAsync("/categories/bulk", New(1000))).Ids.Reverse()];

        (await app.PutAsync("/categories/bulk", ids.Select(id => Item(id)))).ShouldHaveReplaced(ids, 2);
        var lines = BulkRequests.ToLines(ids.Select(id => Item(id, 2, "Newer")));
        (await app.SendTextAsync(HttpMethod.Put, "/categories/bulk", lines, BulkRequests.Lines))
            .ShouldHaveReplaced(ids, 3);

        await app.ShouldAllHaveSaidAsync("categories", ids, "apexshop.category.updated", 3);
    }

    [Fact]
    public async Task What_is_not_there_is_named_and_nothing_is_replaced()
    {
        var ids = (await app.PostAsync("/categories/bulk", New(3))).Ids;

        var answer = await app.PutAsync(
            "/categories/bulk", new[] { Item(ids[0]), Item(-5), Item(ids[1]), Item(2_147_483_647) });

        answer.ShouldBeProblem(HttpStatusCode.NotFound, "category.not_found");
        answer.ErrorPaths.ShouldBe(["[1].id", "[3].id"]);
        await app.ShouldAllHaveSaidAsync("categories", ids, "apexshop.category.created", 1);
    }

    [Fact]
    public async Task Versions_that_are_not_current_are_named_with_the_current_ones()
    {
        var ids = (await app.PostAsync("/categories/bulk", New(3))).Ids;

        var answer =
            await app.PutAsync("/categories/bulk", new[] { Item(ids[2], 7), Item(ids[1], 1), Item(ids[0], 2) });

        answer.ShouldBeProblem(HttpStatusCode.PreconditionFailed, "version.mismatch");
        answer.ErrorPaths.ShouldBe(["[0].version", "[2].version"]);
        answer.Body.GetProperty("current")
            .GetRawText()
            .ShouldBe($$"""[{"id":{{ids[2]}},"version":1},{"id":{{ids[0]}},"version":1}]""");
        await app.ShouldAllHaveSaidAsync("categories", ids, "apexshop.category.created", 1);
    }

    [Fact]
    public async Task A_version_that_was_replaced_is_not_current()
    {
        var ids = (await app.PostAsync("/categories/bulk", New(2))).Ids;
        (await app.PutAsync("/categories/bulk", new[] { Item(ids[0], 1) })).Status.ShouldBe(HttpStatusCode.OK);

        var answer = await app.PutAsync("/categories/bulk", new[] { Item(ids[0], 1, "Newer"), Item(ids[1], 1) });

        answer.ShouldBeProblem(HttpStatusCode.PreconditionFailed, "version.mismatch");
        answer.Body.GetProperty("current").GetRawText().ShouldBe($$"""[{"id":{{ids[0]}},"version":2}]""");
        await app.ShouldAllHaveSaidAsync("categories", ids[1..], "apexshop.category.created", 1);
    }

    [Theory]
    [InlineData("""[{"name":"x"}]""", "[0].id")]
    [InlineData("""[{"id":null,"name":"x"}]""", "[0].id")]
    [InlineData("""[{"id":1,"name":""}]""", "[0].name")]
    [InlineData("""[{"id":1}]""", "[0].name")]
    [InlineData("""[{"id":1,"name":"x"},{"id":2,"name":"x"},{"id":1,"name":"x"}]""", "[2].id")]
    [InlineData("""[{"id":1,"name":"x","version":"1"}]""", "[0].version")]
    [InlineData("""[{"id":1,"name":"x","version":1.5}]""", "[0].version")]
    public async Task An_item_is_held_to_the_rules_of_a_single_body(string body, string path)
    {
        var answer = await app.PutAsync("/categories/bulk", body);

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.ErrorPaths.ShouldBe([path]);
    }

    [Fact]
    public async Task Lists_in_any_order_and_single_commands_leave_no_version_out()
    {
        var ids = (await app.PostAsync("/categories/bulk", New(25))).Ids;
        var lists = Enumerable.Range(0, 8)
            .Select(i => app.PutAsync(
                "/categories/bulk", (i % 2 == 0 ? ids : ids.Reverse()).Select(id => Item(id, name: $"List {i}"))));
        var singles = ids.Select(id => app.PutAsync($"/categories/{id}", new { name = "Alone" }));

        var answers = await Task.WhenAll(lists.Concat(singles));

        answers.ShouldAllBe(answer => answer.Status == HttpStatusCode.OK);
        await app.ShouldAllHaveSaidAsync("categories", ids, "apexshop.category.updated", 10);
    }

    private static IEnumerable<object> New(int count) =>
        Enumerable.Range(0, count).Select(i => new { name = $"Board {i}" });

    private static object Item(int id, long? version = null, string name = "New") =>
        new { id, name, description = $"of {id}", version };
}
