using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.Resources;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests;

public sealed class WriteToReadTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>
{
    [Fact]
    public async Task A_created_product_is_found_at_its_location()
    {
        var category = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Lighting"));
        var product =
            await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category.Id, "Lantern", 12.5m, 7));

        product.Version.ShouldBe(1);
        product.Location.ShouldBe(new Uri(Shop.Queries.Url, $"/products/{product.Id}"));
        var document =
            await Client.SeesAsync(Resource.Products.Name, product.Id, seen => Name(seen["category"]) == "Lighting");
        ((string?)document["name"]).ShouldBe("Lantern");
        document["price"]!.ToJsonString().ShouldBe("12.50");
        ((int)document["stock"]!).ShouldBe(7);
        ((long)document["version"]!).ShouldBe(1);
        document["rating"]!.ToJsonString().ShouldBe("""{"average":0.00,"count":0}""");
        await Client.SeesAsync(Resource.Categories.Name, category.Id, seen => (int)seen["productCount"]! == 1);
    }

    [Fact]
    public async Task A_replaced_product_shows_the_new_state_with_the_next_version()
    {
        var category = await CategoryAsync();
        var product = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category, "Before"));
        var replaced =
            await Client.ReplaceAsync(
                Resource.Products.Name, product.Id, Bodies.ProductReplacement(category, "After", 1.05m));

        replaced.Version.ShouldBe(2);
        var document = await Client.SeesAsync(Resource.Products.Name, product.Id, seen => (long)seen["version"]! == 2);
        Name(document).ShouldBe("After");
        document["updatedDate"].ShouldNotBeNull();
    }

    [Fact]
    public async Task A_deleted_product_is_not_found_and_not_counted()
    {
        var category = await CategoryAsync();
        var kept = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category));
        var deleted = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category));
        await Client.SeesAsync(Resource.Categories.Name, category, seen => (int)seen["productCount"]! == 2);

        await Client.DeleteAsync(Resource.Products.Name, deleted.Id);

        await Client.SeesNoneAsync(Resource.Products.Name, deleted.Id);
        await Client.SeesAsync(Resource.Categories.Name, category, seen => (int)seen["productCount"]! == 1);
        (await Client.FindAsync(Resource.Products.Name, kept.Id)).ShouldNotBeNull();
    }

    [Fact]
    public async Task An_order_reserves_stock_and_names_its_customer_and_products()
    {
        var category = await CategoryAsync();
        var product = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category, "Desk", 100.10m, 10));
        var user = await UserAsync("Alan", "Kay");
        var order = await Client.CreateAsync(Resource.Orders.Name, Bodies.Order(user, (product.Id, 3)));

        var document = await Client.SeesAsync(
            Resource.Orders.Name, order.Id, seen =>
                Name(seen["customer"]) is not null && seen["items"]![0]!["productName"] is not null);
        Name(document["customer"]).ShouldBe("Alan Kay");
        ((string?)document["status"]).ShouldBe("Pending");
        document["totalAmount"]!.ToJsonString().ShouldBe("300.30");
        document["items"]!.ToJsonString().ShouldBe(
            $$"""
            [{"productId":{{product.Id}},"productName":"Desk","quantity":3,"unitPrice":100.10,"totalPrice":300.30}]
            """);
        ((int)document["itemCount"]!).ShouldBe(1);
        await Client.SeesAsync(
            Resource.Products.Name, product.Id, seen => (int)seen["stock"]! == 7 && (long)seen["version"]! == 2);
        await Client.SeesAsync(
            Resource.Users.Name, user, seen =>
                (int)seen["orderCount"]! == 1 && (decimal)seen["totalSpent"]! == 300.30m);
    }

    [Fact]
    public async Task An_order_keeps_the_name_under_which_a_product_was_sold_and_the_changes_of_its_status()
    {
        var category = await CategoryAsync();
        var product = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category, "Desk"));
        var order = await Client.CreateAsync(Resource.Orders.Name, Bodies.Order(await UserAsync(), (product.Id, 1)));

        await Client.ReplaceAsync(Resource.Products.Name, product.Id, Bodies.ProductReplacement(category, "Table"));
        await Client.SeesAsync(Resource.Products.Name, product.Id, seen => Name(seen) == "Table");
        await Client.ReplaceAsync(Resource.Orders.Name, order.Id, Bodies.OrderStatus("Processing"));

        var document = await Client.SeesAsync(
            Resource.Orders.Name, order.Id, seen => (string?)seen["status"] == "Processing");
        ((string?)document["items"]![0]!["productName"]).ShouldBe("Desk");
        var changes = document["statusHistory"]!.AsArray();
        changes.Select(change => (string?)change!["status"]).ShouldBe(["Pending", "Processing"]);
        changes.ShouldAllBe(change => (string?)change!["actor"] == "staff" && change["time"] != null);
    }

    [Fact]
    public async Task An_order_for_more_than_the_stock_reserves_nothing()
    {
        var category = await CategoryAsync();
        var plenty = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category, stock: 10));
        var scarce = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category, stock: 2));
        var user = await UserAsync();

        using var refused = await Shop.Commands.Http.PostAsJsonAsync(
            "/orders", Bodies.Order(user, (plenty.Id, 1), (scarce.Id, 3)));

        refused.StatusCode.ShouldBe(HttpStatusCode.Conflict, await refused.Content.ReadAsStringAsync());
        await State.ProjectedAsync();
        ((int)(await Client.FindAsync(Resource.Products.Name, plenty.Id))!["stock"]!).ShouldBe(10);
        ((int)(await Client.FindAsync(Resource.Products.Name, scarce.Id))!["stock"]!).ShouldBe(2);
    }

    [Fact]
    public async Task Concurrent_orders_never_sell_more_than_the_stock()
    {
        var category = await CategoryAsync();
        var product = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category, stock: 5));
        var user = await UserAsync();

        var responses = await Task.WhenAll(Enumerable.Range(0, 16).Select(async _ =>
        {
            using var response =
                await Shop.Commands.Http.PostAsJsonAsync("/orders", Bodies.Order(user, (product.Id, 1)));
            return response.StatusCode;
        }));

        responses.ShouldAllBe(status => status == HttpStatusCode.Created || status == HttpStatusCode.Conflict);
        var sold = responses.Count(status => status == HttpStatusCode.Created);
        sold.ShouldBeInRange(1, 5);
        await Client.SeesAsync(Resource.Products.Name, product.Id, seen => (int)seen["stock"]! == 5 - sold);
        await Client.SeesAsync(Resource.Users.Name, user, seen => (int)seen["orderCount"]! == sold);
    }

    [Fact]
    public async Task A_cancelled_order_returns_its_stock_and_does_not_count_as_spent()
    {
        var category = await CategoryAsync();
        var product = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category, stock: 10));
        var user = await UserAsync();
        var order = await Client.CreateAsync(Resource.Orders.Name, Bodies.Order(user, (product.Id, 4)));
        await Client.SeesAsync(Resource.Products.Name, product.Id, seen => (int)seen["stock"]! == 6);

        await Client.ReplaceAsync(Resource.Orders.Name, order.Id, Bodies.OrderStatus("Cancelled"));

        await Client.SeesAsync(Resource.Orders.Name, order.Id, seen => (string?)seen["status"] == "Cancelled");
        await Client.SeesAsync(Resource.Products.Name, product.Id, seen => (int)seen["stock"]! == 10);
        await Client.SeesAsync(
            Resource.Users.Name, user, seen => (int)seen["orderCount"]! == 1 && (decimal)seen["totalSpent"]! == 0);
    }

    [Fact]
    public async Task A_renamed_category_is_renamed_in_its_products()
    {
        var category = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Old name"));
        var product = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category.Id));
        await Client.SeesAsync(Resource.Products.Name, product.Id, seen => Name(seen["category"]) == "Old name");

        await Client.ReplaceAsync(Resource.Categories.Name, category.Id, Bodies.Category("New name"));

        var document =
            await Client.SeesAsync(Resource.Products.Name, product.Id, seen => Name(seen["category"]) == "New name");
        ((long)document["version"]!).ShouldBe(1);
    }

    [Fact]
    public async Task A_product_moved_to_another_category_changes_both_counts()
    {
        var from = await CategoryAsync();
        var to = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Target"));
        var product = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(from));
        await Client.SeesAsync(Resource.Categories.Name, from, seen => (int)seen["productCount"]! == 1);

        await Client.ReplaceAsync(Resource.Products.Name, product.Id, Bodies.Product(to.Id));

        await Client.SeesAsync(Resource.Products.Name, product.Id, seen => Name(seen["category"]) == "Target");
        await Client.SeesAsync(Resource.Categories.Name, from, seen => (int)seen["productCount"]! == 0);
        await Client.SeesAsync(Resource.Categories.Name, to.Id, seen => (int)seen["productCount"]! == 1);
    }

    [Fact]
    public async Task Reviews_make_a_products_rating_and_hide_their_authors_last_name()
    {
        var product = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(await CategoryAsync(), "Rated"));
        var ada = await UserAsync("Ada", "Lovelace");
        var review = await Client.CreateAsync(Resource.Reviews.Name, Bodies.Review(product.Id, ada, 5));
        var other = await Client.CreateAsync(Resource.Reviews.Name, Bodies.Review(product.Id, await UserAsync(), 2));
        await Client.SeesAsync(Resource.Products.Name, product.Id, seen => Rating(seen) == (3.5m, 2));

        var document = await Client.SeesAsync(
            Resource.Reviews.Name, review.Id, seen =>
                Name(seen["user"]) is not null && Name(seen["product"]) is not null);
        Name(document["user"]).ShouldBe("Ada L.");
        Name(document["product"]).ShouldBe("Rated");
        ((bool)document["isVerifiedPurchase"]!).ShouldBeFalse();

        await Client.ReplaceAsync(Resource.Reviews.Name, review.Id, Bodies.ReviewText(1, "It broke"));
        await Client.SeesAsync(Resource.Products.Name, product.Id, seen => Rating(seen) == (1.5m, 2));
        await Client.DeleteAsync(Resource.Reviews.Name, other.Id);
        await Client.SeesAsync(Resource.Products.Name, product.Id, seen => Rating(seen) == (1m, 1));
        await Client.SeesNoneAsync(Resource.Reviews.Name, other.Id);
    }

    [Fact]
    public async Task A_renamed_user_is_renamed_in_orders_and_reviews()
    {
        var product = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(await CategoryAsync()));
        var email = $"{Guid.NewGuid():N}@example.com";
        var user = await Client.CreateAsync(Resource.Users.Name, Bodies.User(email, "Jean", "Bartik"));
        var order = await Client.CreateAsync(Resource.Orders.Name, Bodies.Order(user.Id, (product.Id, 1)));
        var review = await Client.CreateAsync(Resource.Reviews.Name, Bodies.Review(product.Id, user.Id, 4));
        await Client.SeesAsync(Resource.Orders.Name, order.Id, seen => Name(seen["customer"]) == "Jean Bartik");

        await Client.ReplaceAsync(Resource.Users.Name, user.Id, Bodies.User(email, "Betty", "Jennings"));

        await Client.SeesAsync(Resource.Users.Name, user.Id, seen => (string?)seen["lastName"] == "Jennings");
        await Client.SeesAsync(Resource.Orders.Name, order.Id, seen => Name(seen["customer"]) == "Betty Jennings");
        await Client.SeesAsync(Resource.Reviews.Name, review.Id, seen => Name(seen["user"]) == "Betty J.");
    }

    [Fact]
    public async Task No_password_or_hash_leaves_the_write_side()
    {
        var user = await UserAsync();
        var document = await Client.SeesAsync(Resource.Users.Name, user, _ => true);

        document.ToJsonString().ShouldNotContain("assword");
        const string eventSql = "SELECT data::text FROM shop.events WHERE resource = 'users' AND aggregate_id = $1";
        (await State.Database.ScalarAsync<string>(eventSql, user)).ShouldNotContain("assword");
        (await State.Database.ScalarAsync<string>("SELECT password_hash FROM shop.users WHERE id = $1", user))
            .ShouldNotContain("battery");
    }

    [Fact]
    public async Task After_all_tests_documents_equal_tables()
    {
        await State.ProjectedAsync();
        await State.DocumentsEqualTablesAsync();
        await State.LogIsWholeAsync();
        await State.LogEqualsTablesAsync();
    }

    private static string? Name(JsonNode? node) => (string?)node?["name"];

    private static (decimal Average, int Count) Rating(JsonNode product) =>
        ((decimal)product["rating"]!["average"]!, (int)product["rating"]!["count"]!);

    private async Task<int> CategoryAsync() =>
        (await Client.CreateAsync(Resource.Categories.Name, Bodies.Category($"Category {Guid.NewGuid():N}"))).Id;

    private async Task<int> UserAsync(string firstName = "Grace", string lastName = "Hopper") =>
        (await Client.CreateAsync(
            Resource.Users.Name, Bodies.User($"{Guid.NewGuid():N}@example.com", firstName, lastName))).Id;
}
