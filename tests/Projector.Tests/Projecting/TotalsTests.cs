using ApexShop.Operations;
using ApexShop.Projector.Tests.Harness;
using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.Tests.Projecting;

/// <summary>Totals that documents of one kind show of those of another.</summary>
public sealed class TotalsTests(ReadStore store) : ProjectorTest(store)
{
    [Fact]
    public async Task An_order_adds_its_amount_and_reads_no_other_order_of_the_customer()
    {
        await Projector.ApplyAsync(History.User(5, "Ann", "Lee"));
        // Counted again, the customer would have the one order that has a document.
        await Store.ExecuteAsync("INSERT INTO read.order_totals VALUES (5, 500000, 1000000)");

        await Projector.ApplyAsync(History.Order(1, 5, "Pending", (10, 1, 2.5m)));

        var user = await ViewAsync<UserView>("users", 5);
        (user.OrderCount, user.TotalSpent).ShouldBe((500_001, 1_000_002.5m));
    }

    [Fact]
    public async Task The_sum_of_very_high_orders_is_stored()
    {
        const decimal Highest = 9_999_999_999_999_999.99m;
        await Projector.ApplyAsync(History.User(5, "Ann", "Lee"));
        await Projector.ApplyAsync(
            [.. Enumerable.Range(1, 101).Select(id => History.Order(id, 5, "Pending", (10, 1, Highest)))]);

        (await ViewAsync<UserView>("users", 5)).TotalSpent.ShouldBe(101 * Highest);
        (await Projector.RebuildAsync()).State.ShouldBe(RebuildState.Done);
        (await ViewAsync<UserView>("users", 5)).TotalSpent.ShouldBe(101 * Highest);
    }

    [Fact]
    public async Task A_review_adds_its_rating_and_reads_no_other_review_of_the_product()
    {
        await Projector.ApplyAsync(History.Product(10, "Lamp", category: 1, price: 1));
        await Store.ExecuteAsync("INSERT INTO read.review_totals VALUES (10, 3, 3)");

        await Projector.ApplyAsync(History.Review(1, 10, 5, 5));

        (await ViewAsync<ProductView>("products", 10)).Rating.ShouldBe(new Rating(2, 4));
    }

    [Fact]
    public async Task Several_changes_of_a_customer_in_one_message_are_added_up()
    {
        await Projector.ApplyAsync(History.User(5, "Ann", "Lee"));
        await Projector.ApplyAsync(
            History.Order(1, 5, "Pending", (10, 1, 1m)),
            History.Order(2, 5, "Pending", (10, 1, 2m)),
            History.Order(1, 5, "Cancelled", (10, 1, 1m)),
            History.Order(3, 5, "Pending", (10, 1, 4m)));
        await Projector.ApplyAsync(
            History.Delete(Resource.Orders.Name, 2), History.Order(4, 5, "Cancelled", (10, 1, 8m)));

        var user = await ViewAsync<UserView>("users", 5);
        (user.OrderCount, user.TotalSpent).ShouldBe((3, 4m));
        (await Store.WrongAsidesAsync()).ShouldBe(0);
    }

    [Fact]
    public async Task A_change_of_an_order_whose_document_cannot_be_read_counts_it_once()
    {
        await UnreadableOrderAsync();

        await Projector.ApplyAsync(History.Order(2, 5, "Shipped", (10, 1, 2m)));

        var user = await ViewAsync<UserView>("users", 5);
        (user.OrderCount, user.TotalSpent).ShouldBe((2, 3m));
        (await Store.WrongAsidesAsync()).ShouldBe(0);
    }

    [Fact]
    public async Task A_deleted_order_whose_document_cannot_be_read_is_not_counted()
    {
        await UnreadableOrderAsync();

        await Projector.ApplyAsync(History.Delete(Resource.Orders.Name, 2));

        var user = await ViewAsync<UserView>("users", 5);
        (user.OrderCount, user.TotalSpent).ShouldBe((1, 1m));
        (await Store.WrongAsidesAsync()).ShouldBe(0);
        (await Store.WrongSegmentsAsync()).ShouldBe(0);
    }

    [Fact]
    public async Task Products_that_move_to_another_category_are_counted_in_that_one_only()
    {
        await ProductsAsync(30);

        await Projector.ApplyAsync(History.Product(1, "Pen", category: 8));
        await ShouldCountAsync(29, 1);
        await Projector.ApplyAsync(
            [.. Enumerable.Range(2, 28).Select(id => History.Product(id, "Pen", category: id % 2 == 0 ? 8 : 7))]);
        await ShouldCountAsync(15, 15);
        await Projector.ApplyAsync(
            History.Delete(Resource.Products.Name, 30), History.Product(1, "Pen", category: 7),
            History.Product(600, "Pen", category: 8), History.Delete(Resource.Products.Name, 2));
        await ShouldCountAsync(15, 14);
    }

    [Fact]
    public async Task The_last_product_that_leaves_a_segment_of_a_category_leaves_no_count()
    {
        await ProductsAsync(1);

        await Projector.ApplyAsync(History.Product(1, "Pen", category: 8));

        await ShouldCountAsync(0, 1);
    }

    [Fact]
    public async Task A_product_whose_document_cannot_be_read_is_counted_in_its_new_category_only()
    {
        await ProductsAsync(3);
        await Store.ExecuteAsync("UPDATE read.products SET body = '{' WHERE id IN (2, 3)");

        await Projector.ApplyAsync(
            History.Product(2, "Pen", category: 8), History.Delete(Resource.Products.Name, 3));

        await ShouldCountAsync(1, 1);
        (await Store.WrongSegmentsAsync()).ShouldBe(0);
    }

    [Fact]
    public async Task Totals_of_a_user_and_a_product_are_there_before_their_documents()
    {
        await Projector.ApplyAsync(History.Order(1, 5, "Pending", (10, 1, 1m)));
        await Projector.ApplyAsync(History.Review(1, 10, 5, 4));
        await Projector.ApplyAsync(History.User(5, "Ann", "Lee"));
        await Projector.ApplyAsync(History.Product(10, "Lamp", category: 1, price: 1));

        (await ViewAsync<UserView>("users", 5)).OrderCount.ShouldBe(1);
        (await ViewAsync<ProductView>("products", 10)).Rating.ShouldBe(new Rating(4, 1));
    }

    // With the ids from 1 on, of category 7.
    private async Task ProductsAsync(int products)
    {
        await Projector.ApplyAsync(History.Category(7, "Pens"), History.Category(8, "Others"));
        await Projector.ApplyAsync(
            [.. Enumerable.Range(1, products).Select(id => History.Product(id, "Pen", category: 7))]);
    }

    private async Task ShouldCountAsync(int products, int others)
    {
        (await ViewAsync<CategoryView>("categories", 7)).ProductCount.ShouldBe(products);
        (await ViewAsync<CategoryView>("categories", 8)).ProductCount.ShouldBe(others);
        (await Store.WrongAsidesAsync()).ShouldBe(0);
    }

    // The second of the orders of user 5.
    private async Task UnreadableOrderAsync()
    {
        await Projector.ApplyAsync(History.User(5, "Ann", "Lee"));
        await Projector.ApplyAsync(
            History.Order(1, 5, "Pending", (10, 1, 1m)), History.Order(2, 5, "Pending", (10, 1, 2m)));
        await Store.ExecuteAsync("UPDATE read.orders SET body = '{' WHERE id = 2");
    }
}
