using ApexShop.Projector.Tests.Harness;
using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.Tests.Projecting;

public sealed class ProjectionTests(ReadStore store) : ProjectorTest(store)
{
    [Fact]
    public async Task A_product_shows_its_category_and_rating_in_the_promised_bytes()
    {
        await Projector.ApplyEachAsync([
            History.Category(1, "Books"), History.Product(10, "Pen", stock: 7), History.User(5, "Ann", "Lee"),
            History.Review(1, 10, 5, 4), History.Review(2, 10, 6, 5), History.Review(3, 10, 7, 5),
        ]);

        (await Store.BodyAsync("products", 10)).ShouldBe("""
            {"id":10,"name":"Pen","description":"It is \"good\" & cheap: \u00fcber <b>","price":9.99,"stock":7,
            "isActive":true,"isFeatured":false,"createdDate":"2026-01-01T00:00:00Z","updatedDate":null,
            "category":{"id":1,"name":"Books"},"rating":{"average":4.67,"count":3},"version":1,"sku":"P-10",
            "slug":"p-10","currency":"USD","images":[{"url":"/1","alt":"\u00fc \uD83D\uDC0E","width":1,"height":9}]}
            """.ReplaceLineEndings("").Replace("\\u00fc", "\u00fc", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("Oak/Walnut desk", "Black/White", "black desk oak walnut white", "desk oak walnut")]
    [InlineData("Phone-12 case", "DDR4-3200", "12 3200 case ddr4 phone", "case phone")]
    [InlineData("Desk.Solid", "2.0 to -5, 0.5 l", "-5 0.5 2.0 desk l solid", "desk solid")]
    [InlineData("USB-C/HDMI", "", "c hdmi usb usb-c", "hdmi usb usb-c")]
    public async Task Words_of_a_product_with_a_sign_between_them_are_stored_one_by_one(
        string name, string description, string words, string nameWords)
    {
        await Projector.ApplyAsync(History.Product(10, name, description: description));

        (await Store.ScalarAsync<string[]>("SELECT tsvector_to_array(words) FROM read.product_words"))
            .ShouldBe(words.Split(' '), ignoreOrder: true);
        (await Store.ScalarAsync<string[]>("SELECT words FROM read.product_name_words"))
            .ShouldBe(nameWords.Split(' '), ignoreOrder: true);
    }

    [Fact]
    public async Task An_order_shows_its_customer_the_names_of_its_products_and_its_status_changes()
    {
        await Projector.ApplyEachAsync([
            History.User(5, "Ann", "Lee"),
            History.Product(10, "Pen"),
            History.Order(1, 5, "Pending", (10, 2, 9.99m), (11, 1, 5m)),
        ]);

        var order = await ViewAsync<OrderView>("orders", 1);
        order.Customer.ShouldBe(new Reference(5, "Ann Lee"));
        order.Items.Select(item => item.ProductName).ShouldBe(["Pen", null]);
        order.ItemCount.ShouldBe(2);
        order.TotalAmount.ShouldBe(24.98m);
        order.StatusHistory.ShouldNotBeNull().ShouldHaveSingleItem()
            .ShouldBe(new OrderStatusView("Pending", order.OrderDate, "storefront"));
    }

    [Fact]
    public async Task A_renamed_category_is_renamed_in_its_products()
    {
        await Projector.ApplyEachAsync(
            [History.Category(1, "Books"), History.Product(10, "Pen"), History.Category(1, "Paper")]);

        (await ViewAsync<ProductView>("products", 10)).Category.ShouldBe(new Reference(1, "Paper"));
    }

    [Fact]
    public async Task A_deleted_category_leaves_its_products_without_its_name()
    {
        await Projector.ApplyEachAsync([
            History.Category(1, "Books"), History.Product(10, "Pen"), History.Delete(Resource.Categories.Name, 1),
        ]);

        (await ViewAsync<ProductView>("products", 10)).Category.ShouldBe(new Reference(1, null));
    }

    [Fact]
    public async Task Products_that_appear_move_and_go_are_counted_in_their_categories()
    {
        await Projector.ApplyEachAsync([
            History.Category(1, "Books"),
            History.Category(2, "Toys"),
            History.Product(10, "Pen"),
            History.Product(11, "Ink"),
            History.Product(12, "Cap"), History.Product(11, "Ink", category: 2),
            History.Delete(Resource.Products.Name, 12),
        ]);

        (await ViewAsync<CategoryView>("categories", 1)).ProductCount.ShouldBe(1);
        (await ViewAsync<CategoryView>("categories", 2)).ProductCount.ShouldBe(1);
    }

    [Fact]
    public async Task A_renamed_product_is_renamed_in_its_reviews_and_not_in_its_orders()
    {
        await Projector.ApplyEachAsync([
            History.Product(10, "Pen"),
            History.Order(1, 5, "Pending", (10, 1, 1m)),
            History.Review(1, 10, 5, 4),
            History.Product(10, "Quill"),
        ]);

        (await ViewAsync<OrderView>("orders", 1)).Items[0].ProductName.ShouldBe("Pen");
        (await ViewAsync<ReviewView>("reviews", 1)).Product.Name.ShouldBe("Quill");
    }

    [Fact]
    public async Task A_changed_stock_changes_neither_orders_nor_reviews()
    {
        await Projector.ApplyEachAsync([
            History.Product(10, "Pen"), History.Order(1, 5, "Pending", (10, 1, 1m)), History.Review(1, 10, 5, 4),
        ]);
        var before = await Store.ScalarAsync<string>(
            "SELECT (SELECT xmin::text FROM read.orders) || (SELECT xmin::text FROM read.reviews)");

        await Projector.ApplyAsync(History.Product(10, "Pen", stock: 1));

        var after = await Store.ScalarAsync<string>(
            "SELECT (SELECT xmin::text FROM read.orders) || (SELECT xmin::text FROM read.reviews)");
        after.ShouldBe(before);
        (await ViewAsync<ProductView>("products", 10)).Stock.ShouldBe(1);
    }

    [Fact]
    public async Task A_change_raises_the_segments_of_the_documents_it_changed_and_no_other()
    {
        await Projector.ApplyAsync(History.Category(1, "Books"));
        await Projector.ApplyAsync(
            History.Product(10, "Pen"), History.Product(499, "Ink"), History.Product(500, "Cap"));
        (await SegmentsAsync()).ShouldBe("categories/0 4 1, products/0 4 2, products/1 4 1");

        await Projector.ApplyAsync(History.Product(500, "Cap", stock: 1));
        (await SegmentsAsync()).ShouldBe("categories/0 4 1, products/0 4 2, products/1 5 1");

        await Projector.ApplyAsync(History.Delete(Resource.Products.Name, 10));
        (await SegmentsAsync()).ShouldBe("categories/0 6 1, products/0 6 1, products/1 5 1");
    }

    [Fact]
    public async Task The_highest_id_has_a_segment_too()
    {
        await Projector.ApplyEachAsync([History.Category(1, "Books"), History.Product(int.MaxValue, "Pen")]);

        (await ViewAsync<ProductView>("products", int.MaxValue)).Name.ShouldBe("Pen");
        (await ViewAsync<CategoryView>("categories", 1)).ProductCount.ShouldBe(1);
    }

    [Fact]
    public async Task A_segment_never_has_the_same_version_twice()
    {
        await Projector.ApplyAsync(History.Category(1, "Books"));
        await Store.ExecuteAsync("UPDATE read.segments SET version = 1000");

        await Projector.ApplyAsync(History.Category(1, "Paper"));
        (await SegmentsAsync()).ShouldBe("categories/0 1001 1");
    }

    [Fact]
    public async Task A_renamed_user_is_renamed_in_orders_and_only_initialled_in_reviews()
    {
        await Projector.ApplyEachAsync([
            History.Order(1, 5, "Pending", (10, 1, 1m)),
            History.Review(1, 10, 5, 4),
            History.User(5, "Ann", "Lee"),
            History.User(5, "Ann", "Ng"),
        ]);

        (await ViewAsync<OrderView>("orders", 1)).Customer.Name.ShouldBe("Ann Ng");
        (await ViewAsync<ReviewView>("reviews", 1)).User.Name.ShouldBe("Ann N.");
    }

    [Fact]
    public async Task A_review_shows_no_name_of_a_deleted_product_whose_document_could_not_be_read()
    {
        await Projector.ApplyEachAsync([History.Product(10, "Pen"), History.Review(1, 10, 5, 4)]);
        await Store.ExecuteAsync("UPDATE read.products SET body = '{'");

        await Projector.ApplyAsync(History.Delete(Resource.Products.Name, 10));

        (await ViewAsync<ReviewView>("reviews", 1)).Product.Name.ShouldBeNull();
    }

    [Fact]
    public async Task A_product_follows_every_change_of_its_reviews()
    {
        await Projector.ApplyEachAsync([
            History.Product(10, "Pen"),
            History.Product(11, "Ink"),
            History.Review(1, 10, 5, 4),
            History.Review(2, 10, 6, 1),
            History.Delete(Resource.Reviews.Name, 1), History.Review(2, 10, 6, 2), History.Review(3, 11, 6, 5),
        ]);

        (await ViewAsync<ProductView>("products", 10)).Rating.ShouldBe(new Rating(2, 1));
        (await ViewAsync<ProductView>("products", 11)).Rating.ShouldBe(new Rating(5, 1));
        (await Store.ScalarAsync<decimal>("SELECT rating FROM read.products WHERE id = 11")).ShouldBe(5);
    }

    [Fact]
    public async Task A_user_counts_every_order_and_sums_those_not_cancelled()
    {
        await Projector.ApplyEachAsync([
            History.User(5, "Ann", "Lee"),
            History.Order(1, 5, "Pending", (10, 1, 10m)),
            History.Order(2, 5, "Pending", (10, 2, 10m)),
            History.Order(3, 5, "Delivered", (10, 3, 10m)),
            History.Order(2, 5, "Cancelled", (10, 2, 10m)),
            History.Delete(Resource.Orders.Name, 3),
        ]);

        var user = await ViewAsync<UserView>("users", 5);
        user.OrderCount.ShouldBe(2);
        user.TotalSpent.ShouldBe(10m);
    }

    private Task<string> SegmentsAsync() => Store.ScalarAsync<string>(
        "SELECT string_agg(format('%s/%s %s %s', kind, segment, version, document_count), ', ' ORDER BY kind, "
        + "segment) FROM read.segments");
}
