using System.Text.Json.Nodes;
using ApexShop.TestKit.Clients;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace ApexShop.Console.Tests.Admin;

/// <summary>Forms: saving, creating, deleting, and errors beside their fields.</summary>
[Collection(nameof(SharedShop))]
public sealed class AdminEditTests(LiveShop shop)
{
    [Fact]
    public async Task Only_changed_members_are_saved_and_the_table_shows_them_at_once()
    {
        var (category, ids) = await shop.AddProductsAsync("Before");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        await Expect(visit.Field("name")).ToHaveValueAsync("Before");
        await visit.Field("name").FillAsync("After");
        await visit.Button("Add an image").ClickAsync();
        foreach (var (name, value) in ((string, string)[])
            [("url", "/a.svg"), ("alt", "A"), ("width", "80"), ("height", "60")])
            await visit.Page.Locator($".images [name={name}]").FillAsync(value);

        // The token of a change is sent for ten seconds.
        await visit.Page.Clock.SetFixedTimeAsync(TimeProvider.System.GetUtcNow().UtcDateTime);
        var request = await visit.Page.RunAndWaitForRequestAsync(
            () => visit.Button("Save").ClickAsync(), one => one.Method == "PATCH");
        JsonNode.DeepEquals(JsonNode.Parse(request.PostData!), JsonNode.Parse(
            """{"name":"After","images":[{"url":"/a.svg","alt":"A","width":80,"height":60}]}""")).ShouldBeTrue();
        (await request.HeaderValueAsync("if-match")).ShouldBe("\"1\"");
        await Expect(visit.Outcome).ToHaveTextAsync("Saved.");
        await Expect(visit.Heading).ToHaveTextAsync("After");

        var read = await visit.Page.RunAndWaitForRequestAsync(
            () => visit.Link("Products").First.ClickAsync(), one => one.Url.Contains("/products/cursor"));
        var token = await read.HeaderValueAsync("consistency-token");
        token.ShouldNotBeNullOrEmpty();
        var again = await visit.Page.RunAndWaitForRequestAsync(
            () => visit.GoAsync($"/admin?view=products&categoryId={category}"),
            one => one.Url.Contains("/products/cursor"));
        (await again.HeaderValueAsync("consistency-token")).ShouldBe(token, "the page was loaded again");
        await Expect(visit.Row("After")).ToHaveCountAsync(1);
    }

    // JavaScript has no number 99999999999999.99: it would send 99999999999999.98.
    [Fact]
    public async Task A_price_that_the_page_cannot_send_exactly_is_refused()
    {
        var (_, ids) = await shop.AddProductsAsync("Yacht");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        await visit.Field("price").FillAsync("99999999999999.99");
        await visit.Button("Save").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("The price is too large for this page: use the API.");

        await visit.Field("price").FillAsync("9999999999999.99");
        await visit.Button("Save").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("Saved.");
        await Expect(visit.Field("price")).ToHaveValueAsync("9999999999999.99");
    }

    [Fact]
    public async Task What_is_typed_while_a_change_is_saved_is_kept()
    {
        var (_, ids) = await shop.AddProductsAsync("Before");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        await Expect(visit.Field("name")).ToHaveValueAsync("Before");
        var (sent, release) = (new TaskCompletionSource(), new TaskCompletionSource());
        await visit.Page.RouteAsync($"**/products/{ids[0]}", async route =>
        {
            if (route.Request.Method == "PATCH")
            {
                sent.TrySetResult();
                await release.Task;
            }

            await route.ContinueAsync();
        });
        await visit.Field("name").FillAsync("After");
        await visit.Button("Save").ClickAsync();
        await sent.Task;
        await visit.Field("description").FillAsync("Typed later");
        release.SetResult();

        await Expect(visit.Outcome).ToHaveTextAsync("Saved.");
        await Expect(visit.Field("description")).ToHaveValueAsync("Typed later");
        await visit.Button("Save").ClickAsync();
        await shop.Client().SeesAsync("products", ids[0],
            one => ((string?)one["name"], (string?)one["description"]) == ("After", "Typed later"));
    }

    [Theory]
    [InlineData("users", "lastName", "Lovelace", "Grace Lovelace")]
    [InlineData("reviews", "comment", "Better than before", "Review")]
    [InlineData("categories", "name", "Renamed category", "Renamed category")]
    public async Task Every_resource_has_a_form(string resource, string member, string value, string heading)
    {
        var (category, ids) = await shop.AddProductsAsync("Reviewed");
        var user = await shop.AddAsync("users", Bodies.User($"{Guid.NewGuid():N}@example.com"));
        var id = resource switch
        {
            "users" => user,
            "categories" => category,
            _ => await shop.AddAsync("reviews", Bodies.Review(ids[0], user, 3)),
        };
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view={resource}&id={id}");
        await visit.Field(member).FillAsync(value);
        await visit.Button("Save").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("Saved.");
        await Expect(visit.Heading).ToContainTextAsync(heading);
        await shop.Client().SeesAsync(resource, id, one => (string?)one[member] == value);
    }

    [Fact]
    public async Task Errors_are_beside_their_fields_and_the_first_has_the_focus()
    {
        var (category, ids) = await shop.AddProductsAsync("Refused");
        var other = new { name = "Other", price = 1m, stock = 1, categoryId = category, sku = $"SKU-{category}" };
        await shop.AddAsync("products", other);
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        visit.ExpectFailure();
        await visit.Field("name").FillAsync("");
        await visit.Field("price").FillAsync("10.001");
        await visit.Button("Save").ClickAsync();
        await Expect(visit.Error("price")).ToContainTextAsync("two decimals");
        await Expect(visit.Field("price")).ToHaveAttributeAsync("aria-invalid", "true");

        await visit.Field("price").FillAsync("10");
        await visit.Button("Save").ClickAsync();
        await Expect(visit.Error("name")).Not.ToHaveTextAsync("");
        await Expect(visit.Field("name")).ToBeFocusedAsync();
        await Expect(visit.Error("price")).ToHaveTextAsync("");

        await visit.Field("name").FillAsync("Refused");
        await visit.Field("sku").FillAsync($"SKU-{category}");
        await visit.Button("Save").ClickAsync();
        await Expect(visit.Error("sku")).ToContainTextAsync("SKU");
        await visit.Field("sku").FillAsync("");
        await visit.Button("Save").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("Saved.");
    }

    [Fact]
    public async Task A_row_is_created_and_deleted_after_a_question()
    {
        // Without it the table would be empty at the end when this test is the first of the shop.
        await shop.AddAsync("categories", Bodies.Category(AdminShop.NewName("Stays")));
        var name = AdminShop.NewName("Created here");
        await using var visit = await AdminVisit.OpenAsync(shop, "/admin?view=categories");
        await visit.Link("New category").ClickAsync();
        visit.ExpectFailure();
        await visit.Button("Create").ClickAsync();
        await Expect(visit.Error("name")).Not.ToHaveTextAsync("");
        await visit.Field("name").FillAsync(name);
        await visit.Button("Create").ClickAsync();
        await Expect(visit.Heading).ToHaveTextAsync(name);
        var id = int.Parse(new Uri(visit.Page.Url).Query.Split("id=")[1], null);

        await visit.Button("Delete").ClickAsync();
        await Expect(visit.Dialog).ToContainTextAsync(name);
        await visit.Button("Keep it").ClickAsync();
        await Expect(visit.Heading).ToHaveTextAsync(name);
        await visit.Button("Delete").ClickAsync();
        await visit.Button("Delete it").ClickAsync();
        await Expect(visit.Heading).ToHaveTextAsync("Categories");
        await Expect(visit.Rows).Not.ToHaveCountAsync(0);
        await Expect(visit.Row(name)).ToHaveCountAsync(0);
        await shop.Client().SeesNoneAsync("categories", id);
    }

    [Fact]
    public async Task Back_closes_a_question_and_does_nothing()
    {
        var (category, _) = await shop.AddProductsAsync("Asked about");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&categoryId={category}");
        await visit.Link("Asked about").ClickAsync();
        await visit.Button("Delete").ClickAsync();
        await Expect(visit.Dialog).ToBeVisibleAsync();
        await visit.Page.GoBackAsync();
        await Expect(visit.Row("Asked about")).ToHaveCountAsync(1);
        await Expect(visit.Dialog).ToBeHiddenAsync();

        await visit.Link("Asked about").ClickAsync();
        await visit.Button("Delete").ClickAsync();
        await visit.Button("Delete it").ClickAsync();
        await Expect(visit.Heading).ToHaveTextAsync("Products");
    }

    [Fact]
    public async Task A_form_with_unsaved_changes_is_left_only_after_a_question()
    {
        await using var visit = await AdminVisit.OpenAsync(shop, "/admin?view=categories&id=new");
        await visit.Field("name").FillAsync("Not saved yet");
        await visit.Link("Orders").ClickAsync();
        await Expect(visit.Dialog).ToContainTextAsync("Leave without saving?");
        await visit.Button("Stay").ClickAsync();

        var asked = new TaskCompletionSource<string>();
        visit.Page.Dialog += async (_, dialog) =>
        {
            asked.TrySetResult(dialog.Type);
            await dialog.DismissAsync();
        };
        await visit.Page.CloseAsync(new() { RunBeforeUnload = true });
        (await asked.Task.WaitAsync(TimeSpan.FromSeconds(30))).ShouldBe(DialogType.BeforeUnload);
        await Expect(visit.Field("name")).ToHaveValueAsync("Not saved yet");
        await visit.Link("Orders").ClickAsync();
        await visit.Button("Leave").ClickAsync();
        await Expect(visit.Heading).ToHaveTextAsync("Orders");
    }

    [Fact]
    public async Task A_row_whose_response_was_lost_is_reported_when_another_one_is_sent()
    {
        var (first, second) = (AdminShop.NewName("Lost"), AdminShop.NewName("Corrected"));
        await using var visit = await AdminVisit.OpenAsync(shop, "/admin?view=categories&id=new");
        visit.ExpectFailure();
        await visit.LoseResponseAsync("**/categories");
        await visit.Field("name").FillAsync(first);
        await visit.Button("Create").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("Commands.Api is unavailable.");

        await visit.Field("name").FillAsync(second);
        await visit.Button("Create").ClickAsync();
        await Expect(visit.Outcome).ToContainTextAsync("An earlier attempt created category ");
        await Expect(visit.Field("name")).ToHaveValueAsync(second);
        await visit.Button("Create").ClickAsync();
        await Expect(visit.Heading).ToHaveTextAsync(second);
    }

    [Fact]
    public async Task A_row_that_was_refused_without_a_response_is_created_with_the_corrected_values()
    {
        var (category, _) = await shop.AddProductsAsync();
        await using var visit = await AdminVisit.OpenAsync(shop, "/admin?view=products&id=new");
        visit.ExpectFailure();
        await visit.LoseResponseAsync("**/products", status: 409);
        foreach (var (member, value) in ((string, string)[])
            [("name", "Corrected"), ("price", "5"), ("stock", "1"), ("categoryId", "2000000000")])
            await visit.Field(member).FillAsync(value);
        await visit.Button("Create").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("Commands.Api is unavailable.");

        await visit.Field("categoryId").FillAsync($"{category}");
        await visit.Button("Create").ClickAsync();
        await Expect(visit.Heading).ToHaveTextAsync("Corrected");
    }

    [Fact]
    public async Task The_row_that_was_created_is_reported_although_an_attempt_before_it_was_not_executed()
    {
        var (refused, lost, third) =
            (AdminShop.NewName("Refused"), AdminShop.NewName("Lost"), AdminShop.NewName("Third"));
        await using var visit = await AdminVisit.OpenAsync(shop, "/admin?view=categories&id=new");
        visit.ExpectFailure();
        await visit.Page.RouteAsync("**/categories", AdminVisit.Once(route => route.FulfillAsync(new()
        {
            Status = 503, ContentType = "application/problem+json",
            Body = """{"status":503,"code":"lock.timeout","detail":"Another command has the row."}""",
        })));
        await visit.Field("name").FillAsync(refused);
        await visit.Button("Create").ClickAsync();
        await Expect(visit.Outcome).ToContainTextAsync("Another command has the row.");
        await visit.LoseResponseAsync("**/categories");
        await visit.Field("name").FillAsync(lost);
        await visit.Button("Create").ClickAsync();
        await Expect(visit.Outcome).ToHaveTextAsync("Commands.Api is unavailable.");

        await visit.Field("name").FillAsync(third);
        await visit.Button("Create").ClickAsync();
        await Expect(visit.Outcome).ToContainTextAsync("An earlier attempt created category ");
        await visit.Button("Create").ClickAsync();
        await Expect(visit.Heading).ToHaveTextAsync(third);
    }

    [Fact]
    public async Task Errors_of_images_describe_the_group_and_no_image_keeps_the_mark_of_an_earlier_one()
    {
        var (_, ids) = await shop.AddProductsAsync("Pictured");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=products&id={ids[0]}");
        visit.ExpectFailure();
        var images = visit.Page.Locator(".images > div");
        foreach (var width in (string[])["0", "80"])
        {
            await visit.Button("Add an image").ClickAsync();
            await images.Last.Locator("[name=url]").FillAsync($"/{width}.svg");
            await images.Last.Locator("[name=width]").FillAsync(width);
            await images.Last.Locator("[name=height]").FillAsync("60");
        }

        await visit.Button("Save").ClickAsync();
        await Expect(visit.Error("images")).ToContainTextAsync("images[0].width");
        var group = visit.Page.GetByRole(AriaRole.Group, new() { Name = "Images" });
        await Expect(group).ToHaveAccessibleDescriptionAsync(await visit.Error("images").InnerTextAsync());
        await Expect(images.First.Locator("[name=url]")).ToHaveAttributeAsync("aria-invalid", "true");
        await images.Last.GetByText("Move up").ClickAsync();
        await images.Last.Locator("[name=width]").FillAsync("70");
        await visit.Field("name").FillAsync("");
        await visit.Button("Save").ClickAsync();
        await Expect(visit.Error("name")).Not.ToHaveTextAsync("");
        await Expect(visit.Error("images")).ToHaveTextAsync("");
        await Expect(group.Locator("[aria-invalid]")).ToHaveCountAsync(0);
    }

    [Fact]
    public async Task A_deletion_that_is_refused_is_reported()
    {
        var (category, _) = await shop.AddProductsAsync("Keeps its category");
        await using var visit = await AdminVisit.OpenAsync(shop, $"/admin?view=categories&id={category}");
        visit.ExpectFailure();
        await visit.Button("Delete").ClickAsync();
        await visit.Button("Delete it").ClickAsync();
        await Expect(visit.Outcome).ToContainTextAsync("product");
        await Expect(visit.Outcome).ToHaveAttributeAsync("data-state", "alarm");
    }
}
