using System.Collections.Concurrent;
using System.Net;
using System.Text.Json;

namespace ApexShop.Commands.Api.Tests.Concurrency;

/// <summary>
/// A shop with a few hot products of little stock, and every kind of command on them. In <see cref="Ledger"/> stand the
/// changes of stock that were not orders; only products of the counted category are in it.
/// </summary>
internal sealed class BusyShop(CommandsApp app)
{
    public const int InitialStock = 6;

    private readonly ConcurrentDictionary<string, int[]> known = new();
    private readonly ConcurrentDictionary<string, int> statuses = new();
    private (int Counted, int Other) category;

    /// <summary>Pieces added to a product by deltas and replacements.</summary>
    public ConcurrentDictionary<int, long> Ledger { get; } = new();

    /// <summary>Products whose stock only orders, deltas and counted replacements move.</summary>
    public int[] Counted => known["counted"];

    /// <summary>How often each answer came, by status and code.</summary>
    public IReadOnlyDictionary<string, int> Responses => statuses;

    public async Task PrepareAsync()
    {
        category = (await app.CategoryAsync(), await app.CategoryAsync());
        known["counted"] = await ProductsAsync(category.Counted, 6);
        known["other"] = await ProductsAsync(category.Other, 4);
        known["products"] = [.. known["counted"], .. known["other"]];
        known["users"] = await Task.WhenAll(Enumerable.Range(0, 10).Select(_ => app.UserAsync()));
        known["sleepers"] = [.. Enumerable.Range(await app.ManyUsersAsync(5, createdDaysAgo: 400), 5)];
        (known["orders"], known["reviews"]) = ([], []);
        foreach (var id in Counted) Ledger[id] = InitialStock;
        await app.ManyOrdersAsync(known["users"][0], known["products"][^1], 30, "Delivered", deliveredDaysAgo: 40);
    }

    public Task AnythingAsync(Random random) => random.Next(100) switch
    {
        < 36 => CreateAsync("orders", ShopBuilder.OrderBody(AnyUser(random), Items(random))),
        < 48 => SendAsync(HttpMethod.Put, $"/orders/{Any("orders", random)}", ShopBuilder.StatusBody("Cancelled")),
        < 57 => SendAsync(HttpMethod.Put, $"/orders/{Any("orders", random)}", ShopBuilder.StatusBody(Step(random))),
        < 63 => SendAsync(HttpMethod.Delete, $"/orders/{Any("orders", random)}", null),
        < 71 => MoveCountedAsync(random.Next(2) == 0 ? random.Next(-3, 0) : random.Next(1, 4)),
        < 74 => SendAsync(
            HttpMethod.Patch, "/products/bulk-update-stock",
            new { categoryId = category.Other, stock = random.Next(5) }),
        < 76 => MoveOneAsync(Counted[random.Next(Counted.Length)], random.Next(2) == 0 ? -1 : 2),
        < 82 => ReplaceCountedAsync(
            Counted[random.Next(Counted.Length)], random.Next(3), hasVersion: random.Next(3) > 0),
        < 85 => SendAsync(
            HttpMethod.Put, $"/products/{known["products"][^1]}",
            ShopBuilder.ReplacementBody(category.Other, random.Next(9))),
        < 87 => SendAsync(
            HttpMethod.Put, "/products/bulk", Some("other", random).Select(id => Replacement(id, random))),
        < 89 => SendAsync(HttpMethod.Post, "/reviews/bulk", Some("products", random).Select(id => Review(id, random))),
        < 91 => CreateAsync("reviews", Review(Any("products", random), random)),
        < 93 => SendAsync(HttpMethod.Delete, "/reviews/bulk", Some("reviews", random)),
        < 95 => SendAsync(HttpMethod.Delete, "/products/bulk", Some("products", random)),
        < 97 => SendAsync(HttpMethod.Delete, "/users/bulk", Some("users", random).Append(Any("sleepers", random))),
        < 98 => SendAsync(HttpMethod.Patch, "/users/bulk-deactivate-inactive?inactiveDays=365", null),
        < 99 => SendAsync(HttpMethod.Delete, "/orders/bulk-delete-old?olderThanDays=30", null),
        _ => SendAsync(
            HttpMethod.Delete, $"/reviews/product/{Any("products", random)}/bulk-delete-old?olderThanDays=1", null),
    };

    private async Task<int[]> ProductsAsync(int categoryId, int count)
    {
        var created = await Task.WhenAll(Enumerable.Range(0, count)
            .Select(_ => app.PostAsync("/products", ShopBuilder.ProductBody(categoryId, InitialStock))));
        return [.. created.Select(answer => answer.Id).Order()];
    }

    private async Task MoveCountedAsync(int delta)
    {
        var answer = await SendAsync(
            HttpMethod.Patch, "/products/bulk-update-stock", new { categoryId = category.Counted, delta });
        if (answer.Status != HttpStatusCode.OK) return;
        foreach (var id in Counted) Ledger.AddOrUpdate(id, 0, (_, sum) => sum + delta);
    }

    private async Task MoveOneAsync(int id, int delta)
    {
        var answer = await SendAsync(HttpMethod.Patch, $"/products/{id}/stock", new { delta });
        if (answer.Status == HttpStatusCode.OK) Ledger.AddOrUpdate(id, 0, (_, sum) => sum + delta);
    }

    // What was read is replaced only if no other client changed it since: the difference is then known. Without the
    // version it is accepted only if the stock stays as it is.
    private async Task ReplaceCountedAsync(int id, int added, bool hasVersion)
    {
        var row = await app.ScalarAsync<string>(
            $"SELECT shop.product_state(p)::text FROM shop.products AS p WHERE id = {id}");
        if (row is null) return;
        var state = JsonDocument.Parse(row).RootElement;
        var body = ShopBuilder.ProductBody(category.Counted, state.GetProperty("stock").GetInt32() + added);
        var ifMatch = hasVersion ? $"\"{state.GetProperty("version").GetInt64()}\"" : null;
        var answer = await SendAsync(HttpMethod.Put, $"/products/{id}", body, ifMatch);
        if (hasVersion && answer.Status == HttpStatusCode.OK) Ledger.AddOrUpdate(id, 0, (_, sum) => sum + added);
    }

    private async Task CreateAsync(string resource, object body)
    {
        var answer = await SendAsync(HttpMethod.Post, $"/{resource}", body);
        if (answer.Status == HttpStatusCode.Created)
            known.AddOrUpdate(resource, _ => [], (_, ids) => [.. ids, answer.Id]);
    }

    private async Task<Answer> SendAsync(HttpMethod method, string path, object? body, string? ifMatch = null)
    {
        var answer = await app.SendAsync(method, path, body, ifMatch);
        var code = (int)answer.Status < 400 ? "" : answer.Code;
        statuses.AddOrUpdate($"{(int)answer.Status} {code}".TrimEnd(), 1, (_, count) => count + 1);
        return answer;
    }

    private (int ProductId, int Quantity)[] Items(Random random) =>
        [.. Enumerable.Range(0, random.Next(1, 4)).Select(_ => (Any("products", random), random.Next(1, 3)))];

    private object Review(int productId, Random random) =>
        new { productId, userId = AnyUser(random), rating = random.Next(1, 6) };

    private object Replacement(int id, Random random) =>
        new { id, name = "Torch", price = random.Next(9), categoryId = category.Other };

    private int AnyUser(Random random) => Any(random.Next(8) == 0 ? "sleepers" : "users", random);

    private int Any(string resource, Random random) =>
        known[resource] is { Length: > 0 } ids ? ids[random.Next(ids.Length)] : 1;

    private IEnumerable<int> Some(string resource, Random random) =>
        Enumerable.Range(0, random.Next(2, 5)).Select(_ => Any(resource, random)).Distinct();

    private static string Step(Random random) =>
        random.Next(3) switch { 0 => "Processing", 1 => "Shipped", _ => "Delivered" };
}
