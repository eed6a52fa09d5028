using System.Net.Http.Json;
using System.Text.Json;
using ApexShop.Load.Scenarios;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Load.Tests.Scenarios;

/// <summary>A whole shop in its own processes with a few hundred projected rows.</summary>
public sealed class StockedShop : IAsyncLifetime, IDisposable
{
    private const int Products = 300;
    private const int Users = 12;

    private TestKit.Shop processes = null!;
    private ShopApi api = null!;

    internal Load.Shop Shop => new(processes.Commands.Url, processes.Queries.Url, TestKeys.Everything);

    internal ShopApi Api => api;

    internal ShopData Data { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        processes = await TestKit.Shop.StartAsync();
        api = new ShopApi(Shop);
        await StockAsync();
        Data = await ShopData.LoadAsync(api, CancellationToken.None);
    }

    /// <summary>The number of rows of each kind, and the total stock.</summary>
    public async Task<string> CountsAsync()
    {
        await using var source = NpgsqlDataSource.Create(processes.Database.Commands);
        await using var command = source.CreateCommand("""
            SELECT format('%s products, %s in stock, %s users, %s orders, %s reviews',
                (SELECT count(*) FROM shop.products), (SELECT sum(stock) FROM shop.products), (SELECT count(*)
                    FROM shop.users),
                (SELECT count(*) FROM shop.orders), (SELECT count(*) FROM shop.reviews))
            """);
        return (string)(await command.ExecuteScalarAsync())!;
    }

    public string Tail() => processes.Tail();

    public async Task DisposeAsync()
    {
        if (processes is not null) await processes.DisposeAsync();
    }

    public void Dispose() => api?.Dispose();

    private async Task StockAsync()
    {
        var categories =
            await ManyAsync("categories", [new { name = "Desks" }, new { name = "Chairs" }, new { name = "Lamps" }]);
        var products = await ManyAsync("products", Enumerable.Range(1, Products).Select(number => new
        {
            name = $"Walnut {(number % 2 == 0 ? "chair" : "desk")}", description = "Two drawers", price = 9.5m + number,
            stock = 10_000, categoryId = categories[number % categories.Count],
        }));
        var users = await ManyAsync("users", Enumerable.Range(1, Users).Select(number => new
        {
            email = $"buyer{number}@example.com", password = "correct horse battery", firstName = "Ada",
            lastName = "Lovelace",
        }));
        string? token = null;
        foreach (var user in users)
        {
            var order = await api.PostAsync(
                "/orders", Inputs.Order(user, [products[user % products.Count]]), CancellationToken.None);
            token = order.ExpectCreated().Token;
            order.Problem.ShouldBeNull();
        }

        // When the last order is projected, all earlier rows are.
        await Eventually.Holds(async () =>
            (await api.GetAsync("/orders/cursor?pageSize=100", CancellationToken.None, token)).Data.Count == Users,
            "the shop is projected");
    }

    private async Task<IReadOnlyList<int>> ManyAsync(string resource, IEnumerable<object> bodies)
    {
        using var response = await processes.Commands.Http.PostAsJsonAsync($"/{resource}/bulk", bodies);
        var body = await response.Content.ReadFromJsonAsync<JsonElement>();
        response.IsSuccessStatusCode.ShouldBeTrue(body.ToString());
        return [.. body.GetProperty("ids").EnumerateArray().Select(id => id.GetInt32())];
    }
}
