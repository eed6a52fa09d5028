using System.Net;

namespace ApexShop.Commands.Api.Tests.Categories;

public sealed class CreateCategoryTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task The_response_has_location_and_version_and_the_event_equals_the_row()
    {
        var answer = await app.PostAsync("/categories", new { name = "Garden", description = "Outside" });

        answer.ShouldBeCreated("categories");
        var state = await app.ShouldHaveSaidAsync("categories", answer.Id, "apexshop.category.created", 1);
        state.GetProperty("name").GetString().ShouldBe("Garden");
        state.GetProperty("isActive").GetBoolean().ShouldBeTrue();
    }
}

public sealed class UpdateCategoryTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Replaces_everything_and_raises_the_version_by_one()
    {
        var id = await app.CategoryAsync();

        var answer = await app.PutAsync($"/categories/{id}", new { name = "Kitchen", isActive = false }, "\"1\"");

        answer.ShouldBeReplaced(id, 2);
        var state = await app.ShouldHaveSaidAsync("categories", id, "apexshop.category.updated", 2);
        state.GetProperty("name").GetString().ShouldBe("Kitchen");
        state.GetProperty("description").ValueKind.ShouldBe(System.Text.Json.JsonValueKind.Null);
        state.GetProperty("isActive").GetBoolean().ShouldBeFalse();
    }

    [Fact]
    public async Task Refuses_what_is_not_there_or_has_another_version()
    {
        (await app.PutAsync($"/categories/{int.MaxValue}", new { name = "x" }))
            .ShouldBeProblem(HttpStatusCode.NotFound, "category.not_found");
        (await app.PutAsync($"/categories/{await app.CategoryAsync()}", new { name = "x" }, "\"2\""))
            .ShouldBeProblem(HttpStatusCode.PreconditionFailed, "version.mismatch");
    }
}

public sealed class DeleteCategoryTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Removes_an_empty_category()
    {
        var id = await app.CategoryAsync();

        (await app.DeleteAsync($"/categories/{id}")).Status.ShouldBe(HttpStatusCode.NoContent);

        await app.ShouldBeGoneAsync("categories", id, "apexshop.category.deleted", 2);
        (await app.DeleteAsync($"/categories/{id}")).ShouldBeProblem(HttpStatusCode.NotFound, "category.not_found");
    }

    [Fact]
    public async Task Is_refused_while_it_has_products_and_lists_them()
    {
        var productId = await app.ProductAsync();
        var id = await app.ScalarAsync<int>($"SELECT category_id FROM shop.products WHERE id = {productId}");

        var answer = await app.DeleteAsync($"/categories/{id}");

        answer.ShouldBeProblem(HttpStatusCode.Conflict, "category.has_products");
        answer.Body.GetProperty("blockedBy").GetProperty("ids")[0].GetInt32().ShouldBe(productId);
    }
}
