using System.Net;

namespace ApexShop.Commands.Api.Tests;

/// <summary>Makes what a test needs, over HTTP as every client does.</summary>
internal static class ShopBuilder
{
    private static int emails;

    public static object ProductBody(
        int categoryId, int stock = 10, decimal price = 12.5m, bool isActive = true, string name = "Lamp") =>
        new { name, price, stock, categoryId, isActive };

    /// <summary>A replacement that keeps the stock.</summary>
    public static object ReplacementBody(int categoryId, decimal price = 12.5m, string name = "Lamp") =>
        new { name, price, categoryId };

    public static object UserBody(string? email = null) => new
    {
        email = email ?? $"user{Interlocked.Increment(ref emails)}@example.com",
        firstName = "Ada",
        lastName = "Lovelace",
        password = "correct horse",
    };

    public static object OrderBody(int userId, params (int ProductId, int Quantity)[] items) => new
    {
        userId,
        shippingAddress = "1 Analytical Street",
        items = items.Select(item => new { productId = item.ProductId, quantity = item.Quantity }),
    };

    public static object StatusBody(string status) => new { status, shippingAddress = "1 Analytical Street" };

    extension(CommandsApp app)
    {
        public Task<int> CategoryAsync() => app.MadeAsync("/categories", new { name = "Lights" });

        public async Task<int> ProductAsync(
            int stock = 10, decimal price = 12.5m, bool isActive = true, string name = "Lamp") =>
            await app.MadeAsync("/products", ProductBody(await app.CategoryAsync(), stock, price, isActive, name));

        public Task<int> UserAsync() => app.MadeAsync("/users", UserBody());

        public async Task<int> OrderAsync(params (int ProductId, int Quantity)[] items) =>
            await app.OrderOfAsync(await app.UserAsync(), items);

        public Task<int> OrderOfAsync(int userId, params (int ProductId, int Quantity)[] items) =>
            app.MadeAsync("/orders", OrderBody(userId, items));

        public Task<int> ReviewAsync(int productId, int userId) =>
            app.MadeAsync("/reviews", new { productId, userId, rating = 4, comment = "Bright" });

        /// <summary>One aggregate of a resource, of version 1, and the body of a replacement.</summary>
        public async Task<(int Id, object Replacement)> AnyAsync(string resource) => resource switch
        {
            "categories" => (await app.CategoryAsync(), new { name = "Lamps" }),
            "products" => (await app.ProductAsync(), ProductBody(await app.CategoryAsync())),
            "users" => (await app.UserAsync(), UserBody()),
            "orders" => (await app.OrderAsync((await app.ProductAsync(), 1)), StatusBody("Processing")),
            "reviews" => (await app.ReviewAsync(await app.ProductAsync(), await app.UserAsync()), new { rating = 1 }),
            _ => throw new ArgumentOutOfRangeException(nameof(resource), resource, "There is no sample of it."),
        };

        public async Task MoveOrderAsync(int id, params string[] statuses)
        {
            foreach (var status in statuses)
            {
                var answer = await app.PutAsync($"/orders/{id}", StatusBody(status));
                answer.Status.ShouldBe(HttpStatusCode.OK, answer.Text);
            }
        }

        /// <summary>A client with the token of the user.</summary>
        public async Task<HttpClient> CustomerAsync(int userId)
        {
            var email = await app.ScalarAsync<string>($"SELECT email FROM shop.users WHERE id = {userId}");
            var answer = await app.PostAsync("/sessions", new { email, password = "correct horse" });
            answer.Status.ShouldBe(HttpStatusCode.OK, answer.Text);
            return app.ClientWith(answer.Body.GetProperty("token").GetString());
        }

        public Task<int> StockAsync(int productId) =>
            app.ScalarAsync<int>($"SELECT stock FROM shop.products WHERE id = {productId}");

        /// <summary>Sets the stock of a product, or changes it by a delta.</summary>
        public Task<Answer> PatchStockAsync(int productId, object body) =>
            app.SendAsync(HttpMethod.Patch, $"/products/{productId}/stock", body);

        public Task<long> VersionAsync(string resource, int id) =>
            app.ScalarAsync<long>($"SELECT version FROM shop.{resource} WHERE id = {id}");

        private async Task<int> MadeAsync(string path, object body)
        {
            var answer = await app.PostAsync(path, body);
            answer.Status.ShouldBe(HttpStatusCode.Created, answer.Text);
            return answer.Id;
        }
    }
}
