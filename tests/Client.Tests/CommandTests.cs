using System.Text.Json.Nodes;

namespace ApexShop.Client.Tests;

/// <summary>The commands of each resource, and their problems.</summary>
[Collection(ClientShop.Suite)]
public sealed class CommandTests(ClientShop running) : IDisposable
{
    private readonly ShopClient client = running.Open();

    public void Dispose() => client.Dispose();

    [Fact]
    public async Task Problems_are_typed()
    {
        var (category, products) = await running.StockAsync(client);
        var invalid = await ProblemAsync(client.Products.CreateAsync(new("", -1, 1, category)));
        (invalid.Status, invalid.Code).ShouldBe((400, "request.invalid"));
        invalid.Errors["price"].ShouldHaveSingleItem();
        invalid.TraceId.ShouldNotBeEmpty();

        var missing = await ProblemAsync(client.Products.GetAsync(int.MaxValue));
        (missing.Status, missing.Code, missing.Title).ShouldBe((404, "document.not_found", "Not Found"));
        missing.Detail.ShouldNotBeNull();

        var stale = await ProblemAsync(client.Products.DeleteAsync(products[0], ifMatch: 7));
        (stale.Status, stale.Problem.Version).ShouldBe((412, 1));
        var soldOut = await ProblemAsync(
            client.Orders.CreateAsync(new(running.Customer, "1 Main Street", [new(products[0], 101)])));
        soldOut.Problem.Products!.Single().ShouldBe(new RefusedProduct(products[0], "Lamp 1", 100, 101));
        var used = await ProblemAsync(client.Categories.DeleteAsync(category));
        used.Problem.BlockedBy!.Ids.ShouldBe(products);
        (await ProblemAsync(client.As(null).Products.DeleteAsync(products[0]))).Status.ShouldBe(401);
    }

    [Fact]
    public async Task Products_are_replaced_patched_and_deleted_by_lists()
    {
        var (category, products) = await running.StockAsync(client, 3);
        var items = products.Select(
            id => new ProductItem(id, $"New {id}", 3, category, Version: id == products[2] ? 9 : null));
        var chunks = new List<ReplacedChunk>();
        await foreach (var chunk in client.Products.ReplaceManyAsync(items.Take(2))) chunks.Add(chunk);
        chunks.Single().Items.ShouldBe([new(products[0], 2), new(products[1], 2)]);
        await foreach (var chunk in client.Products.ReplaceManyAsync(items.Skip(2))) chunks.Add(chunk);
        chunks[1].Problem!.Code.ShouldBe("version.mismatch");
        (await client.Products.GetAsync(products[1])).Name.ShouldBe($"New {products[1]}");

        await client.Products.PatchAsync(
            products[0], new() { ["description"] = "Soft", ["price"] = 4.25m }, ifMatch: 2);
        await client.Products.PatchAsync(products[0], new JsonObject { ["description"] = null });
        var patched = await client.Products.GetAsync(products[0]);
        (patched.Description, patched.Price, patched.Version).ShouldBe((null, 4.25m, 4));
        (await client.Products.ChangeStockOfCategoryAsync(category, -1)).Changed.ShouldBe(3);
        (await client.Products.SetStockOfCategoryAsync(category, 5)).Changed.ShouldBe(3);
        var removed = await client.Products.DeleteManyAsync([.. products, int.MaxValue]);
        removed.Deleted.ShouldBe(3);
        removed.NotFound.ShouldBe([int.MaxValue]);
    }

    [Fact]
    public async Task The_problems_of_a_largelist_name_the_items_of_the_whole_list()
    {
        var thousand = Enumerable.Range(1, 1000).Select(number => new ProductItem(int.MaxValue - number, "Lamp", 1, 1));
        var chunks = new List<ReplacedChunk>();
        await foreach (var chunk in client.Products.ReplaceManyAsync([.. thousand, new(1, "Lamp", -1, 1)]))
            chunks.Add(chunk);
        chunks.Select(chunk => chunk.Problem!.Errors.First().Key).ShouldBe(
            ["[0].id", "[200].id", "[400].id", "[600].id", "[800].id", "[1000].price"]);

        ProductItem lamp = new(1, "Lamp", 1, 1);
        await foreach (var chunk in client.Products.ReplaceManyAsync([.. thousand, lamp, lamp])) chunks.Add(chunk);
        var twice = chunks[^1].Problem!.Errors.Single();
        (twice.Key, twice.Value.Single()).ShouldBe(("[1001].id", "Id 1 occurs at [1000] too."));

        var large = lamp with { Description = new('x', 2_000_000) };
        var refused = await Should.ThrowAsync<ShopProblemException>(async () =>
        {
            await foreach (var chunk in client.Products.ReplaceManyAsync([.. thousand, large])) chunks.Add(chunk);
        });
        refused.Detail.ShouldNotBeNull().ShouldStartWith("Item [1000] has more than");
    }

    [Fact]
    public async Task Items_after_one_that_ends_the_reading_of_a_list_are_refused_with_it()
    {
        var items = Enumerable.Range(1, 1450).Select(number => new ProductItem(int.MaxValue - number, "Lamp", 1, 1)
            { Description = number == 451 ? new('x', 2_000_000) : null });
        var chunks = new List<ReplacedChunk>();
        await foreach (var chunk in client.Products.ReplaceManyAsync(items)) chunks.Add(chunk);

        chunks.Select(chunk => (chunk.First, chunk.Count, chunk.Problem!.Code == "bulk.item_too_large")).ShouldBe(
            [(0, 200, false), (200, 200, false), (400, 50, true), (450, 550, true), (1000, 200, false),
            (1200, 200, false), (1400, 50, false)]);
        chunks[3].Problem!.Detail.ShouldNotBeNull().ShouldStartWith("Item [450] has more than");
    }

    [Fact]
    public async Task A_response_without_its_last_line_is_incomplete()
    {
        await using var commands = await FaultProxy.OpenAsync(running.Shop.Commands);
        using var sender = running.Open(commands);
        var (category, products) = await running.StockAsync(sender);
        commands.EndAfterFirstLine();
        var chunks = new List<ReplacedChunk>();

        await Should.ThrowAsync<IOException>(async () =>
        {
            var lantern = new ProductItem(products[0], "Lantern", 3, category);
            await foreach (var chunk in sender.Products.ReplaceManyAsync([lantern])) chunks.Add(chunk);
        });

        chunks.Single().Items.ShouldBe([new(products[0], 2)]);
    }

    [Theory]
    [InlineData(".")]
    [InlineData("..")]
    public async Task A_slug_is_no_way_to_another_path(string slug) =>
        await Should.ThrowAsync<ArgumentException>(() => client.Products.GetBySlugAsync(slug));

    [Fact]
    public async Task A_customer_orders_and_the_shop_delivers()
    {
        var product = (await running.StockAsync(client)).Products[0];
        var tokens = client.ConsistencyToken;
        var session = await client.SignInAsync(ClientShop.Email, ClientShop.Password);
        client.ConsistencyToken.ShouldBe(tokens, "its reads do not wait for the customer's document");
        using var customer = client.As(session.Token);
        var placed = await customer.Orders.CreateAsync(new(session.CustomerId, "1 Main Street", [new(product, 2)]));
        (await customer.Orders.GetAsync(placed.Id)).Status.ShouldBe(OrderStatus.Pending);

        await client.Orders.SetStatusAsync(placed.Id, OrderStatus.Processing, ifMatch: placed.Version);
        await client.Orders.SetStatusAsync(placed.Id, OrderStatus.Shipped, "AX1");
        await client.Orders.ReplaceAsync(placed.Id, new(OrderStatus.Delivered, "1 Main Street", "AX1"));
        (await ProblemAsync(client.Orders.SetStatusAsync(placed.Id, OrderStatus.Pending))).Code
            .ShouldBe("order.status_refused");
        var order = await client.Orders.GetAsync(placed.Id);
        (order.Status, order.TrackingNumber, order.TotalAmount).ShouldBe((OrderStatus.Delivered, "AX1", 2m));
        order.StatusHistory!.Select(change => change.Status).ShouldBe(
            [OrderStatus.Pending, OrderStatus.Processing, OrderStatus.Shipped, OrderStatus.Delivered]);
        OrderStatus[] onTheWay = [OrderStatus.Shipped, OrderStatus.Delivered];
        var query = new OrderQuery { Status = onTheWay, CustomerId = [session.CustomerId] };
        (await client.Orders.GetPageAsync(query)).Data.ShouldContain(one => one.Id == placed.Id);
        (await client.Orders.DeleteOldAsync(30)).Deleted.ShouldBe(0);

        var review = await client.Reviews.CreateAsync(new(product, session.CustomerId, 4));
        await client.Reviews.ReplaceManyAsync([new(review.Id, 5, "Bright")]);
        (await client.Reviews.GetAsync(review.Id)).ShouldSatisfyAllConditions(
            one => one.Rating.ShouldBe(5), one => one.IsVerifiedPurchase.ShouldBeTrue());
        (await client.Reviews.DeleteOldAsync(product, 1)).Deleted.ShouldBe(0);
        (await client.Products.GetAsync(product)).Rating.ShouldBe(new Rating(5, 1));
    }

    [Fact]
    public async Task Categories_and_users_are_kept_by_lists()
    {
        var created = await client.Categories.CreateManyAsync([new("Chairs"), new("Sofas")]);
        (await client.Categories.ReplaceManyAsync([new(created.Ids[0], "Stools", "Low", false)])).Items
            .ShouldBe([new(created.Ids[0], 2)]);
        (await client.Categories.GetAsync(created.Ids[0])).ShouldSatisfyAllConditions(
            one => one.Name.ShouldBe("Stools"), one => one.IsActive.ShouldBeFalse());

        var users = await client.Users.CreateManyAsync(
            [new("list@example.com", "Ada", "Lovelace", Password: ClientShop.Password)]);
        await client.Users.ReplaceManyAsync([new(users.Ids[0], "list@example.com", "Ada", "King", "+44 1")]);
        var query = new UserQuery { Email = "LIST@example.com", Sort = UserSort.Newest };
        (await client.Users.GetPageAsync(query)).Data.Single().LastName.ShouldBe("King");
        (await client.Users.DeactivateInactiveAsync(1)).Changed.ShouldBe(0);
        await client.Users.EraseAsync(users.Ids[0], 2);
        (await client.Users.GetAsync(users.Ids[0])).LastName.ShouldBe("Customer");
        (await client.Users.DeleteManyAsync(users.Ids)).Deleted.ShouldBe(1);
    }

    [Fact]
    public async Task A_command_that_is_sent_again_with_its_key_is_executed_once()
    {
        await using var commands = await FaultProxy.OpenAsync(running.Shop.Commands);
        using var sender = running.Open(commands);
        var (category, products) = await running.StockAsync(sender);
        var order = await sender.Orders.CreateAsync(new(running.Customer, "1 Main Street", [new(products[0], 1)]));
        var user = await sender.Users.CreateAsync(
            new("keyed@example.com", "Ada", "Lovelace", Password: ClientShop.Password));
        commands.Seen.Clear();
        for (var time = 0; time < 2; time++)
        {
            (await sender.Products.SetStockAsync(products[0], 50, idempotencyKey: "set")).Version.ShouldBe(3);
            (await sender.Products.ChangeStockAsync(products[0], -1, idempotencyKey: "add")).Version.ShouldBe(4);
            (await sender.Products.SetStockOfCategoryAsync(category, 20, "set-all")).Changed.ShouldBe(1);
            (await sender.Products.ChangeStockOfCategoryAsync(category, -1, "add-all")).Changed.ShouldBe(1);
            (await sender.Orders.SetStatusAsync(order.Id, OrderStatus.Cancelled, idempotencyKey: "cancel"))
                .Version.ShouldBe(2);
            (await sender.Users.DeactivateInactiveAsync(36_500, "deactivate")).Changed.ShouldBe(0);
            await sender.Users.EraseAsync(user.Id, user.Version, "erase");
        }

        string[] keys = ["set", "add", "set-all", "add-all", "cancel", "deactivate", "erase"];
        commands.Seen.Select(one => one.Key).ShouldBe([.. keys, .. keys]);
        // The order that was cancelled returned its item.
        (await sender.Products.GetAsync(products[0])).Stock.ShouldBe(20);
    }

    private static Task<ShopProblemException> ProblemAsync(Task refused) =>
        Should.ThrowAsync<ShopProblemException>(refused);
}
