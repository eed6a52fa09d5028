using System.Net;
using ApexShop.Load.Running;

namespace ApexShop.Load.Scenarios;

/// <summary>The steps that scenarios share: each sends one request and checks its response.</summary>
internal sealed class Requests(ShopApi api, ShopData data, CreatedRows made)
{
    private const int PageSize = 20;

    public ShopData Data => data;

    public Task<Reply> PageAsync(Iteration iteration, CancellationToken ct) =>
        iteration.StepAsync("get_products", async token =>
    {
        // A page of the first half, as people rarely read the last pages; never beyond the end.
        var page = Random.Shared.Next(1, Math.Max(2, data.ProductCount / PageSize / 2));
        return (await api.GetAsync($"/products/v2?page={page}&pageSize={PageSize}", token)).ExpectPage();
    }, ct);

    public Task<Reply> CategoryPageAsync(Iteration iteration, CancellationToken ct) =>
        iteration.StepAsync("get_category_products", async token =>
    {
        var category = data.Categories.Pick();
        return (await api.GetAsync($"/products/cursor?categoryId={category}&pageSize={PageSize}", token))
            .ExpectPage(product => product.Reference("category") == category);
    }, ct);

    public Task<Reply> ProductAsync(Iteration iteration, int id, CancellationToken ct) =>
        iteration.StepAsync("get_product_by_id", async token =>
        (await api.GetAsync($"/products/{id}", token)).ExpectDocument(id), ct);

    public Task<Reply> SearchAsync(Iteration iteration, CancellationToken ct) =>
        iteration.StepAsync("search_products", async token =>
    {
        var word = data.Products.Pick().Name.Split(' ')[^1];
        return (await api.GetAsync($"/products/cursor?q={Uri.EscapeDataString(word)}&pageSize={PageSize}", token))
            .ExpectPage();
    }, ct);

    public Task<Reply> CategoriesAsync(Iteration iteration, CancellationToken ct) =>
        iteration.StepAsync("get_categories", async token =>
        (await api.GetAsync("/categories/v2?pageSize=100", token))
            .ExpectPage(category => category.Text("name") is { Length: > 0 }), ct);

    public Task<Reply> OrdersAsync(Iteration iteration, CancellationToken ct) =>
        iteration.StepAsync("get_orders", async token =>
        (await api.GetAsync($"/orders/cursor?sort=newest&pageSize={PageSize}", token))
            .ExpectPage(order => order.Reference("customer") > 0), ct);

    public Task<Reply> ReviewsAsync(Iteration iteration, int product, CancellationToken ct) =>
        iteration.StepAsync("get_reviews", async token =>
    {
        var reviews = (await api.GetAsync($"/reviews/cursor?productId={product}&pageSize=100", token))
            .Expect(HttpStatusCode.OK);
        return reviews.Check(
            reviews.Data.All(review => review.Reference("product") == product), "a review is of another product");
    }, ct);

    public Task<Reply> CreateProductAsync(Iteration iteration, CancellationToken ct) =>
        CreateAsync(iteration, "create_product", "products", Inputs.Product(data.Categories.Pick()), ct);

    public Task<Reply> CreateAsync(
        Iteration iteration, string step, string resource, object body, CancellationToken ct) =>
        iteration.StepAsync(
            step, async token =>
                made.Record(resource, await api.PostAsync($"/{resource}", body, token)).ExpectCreated(), ct);

    /// <summary>
    /// Reads a document with the token of the command that wrote it: it must show the written value.
    /// </summary>
    public Task<Reply> SeeAsync(
        Iteration iteration, string step, string resource, Reply written, string field, string expected,
        CancellationToken ct) =>
        iteration.StepAsync(step, async token =>
        {
            var seen = (await api.GetAsync($"/{resource}/{written.Id}", token, written.Token))
                .ExpectDocument(written.Id);
            return seen.Check(seen.Json.Text(field) == expected, $"{field} is not the written value");
        }, ct);

    public Task<Reply> ReplaceOrderAsync(
        Iteration iteration, string step, int id, string status, CancellationToken ct) =>
        iteration.StepAsync(step, async token =>
            (await api.PutAsync($"/orders/{id}", Inputs.OrderStatus(status), token)).ExpectDocument(id), ct);

    public Task CleanAsync(CancellationToken ct) => made.DeleteAsync(ct);
}
