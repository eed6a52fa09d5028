using System.Diagnostics;
using System.Globalization;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text.Json;
using ApexShop.TestKit.Clients;

namespace ApexShop.Load.Scaling;

/// <summary>A command and the response that shows its change.</summary>
internal sealed record ChangeProbe(
    string What, Func<ScaledShop, int, CancellationToken, Task<ExpectedChange>> SendAsync);

/// <summary>A path and a text that its response has after the change.</summary>
internal sealed record ExpectedChange(string Path, string Text);

/// <summary>Changes, one at a time, until a query shows them.</summary>
internal static class ChangeProbes
{
    private static readonly TimeSpan limit = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan pause = TimeSpan.FromMilliseconds(1);

    public static ChangeProbe NewProduct { get; } = new("a new product", (shop, turn, ct) => CreatedAsync(
        shop, "products", Bodies.Product(2 + (turn % (shop.Rows.Categories - 1))), ct));

    public static ChangeProbe Order { get; } = new("an order", (shop, turn, ct) => CreatedAsync(
        shop, "orders", Bodies.Order(shop.Rows.Users - turn, (Active(turn), 1), (Active(turn) + 1, 1)), ct));

    public static ChangeProbe OrderOfBusiest { get; } = new(
        "an order of the customer with a tenth of all", (shop, turn, ct) => CreatedAsync(
            shop, "orders", Bodies.Order(ScaledRows.Busiest, (Active(turn), 1), (Active(turn) + 1, 1)), ct));

    public static ChangeProbe Review { get; } = new("a review", (shop, turn, ct) => CreatedAsync(
        shop, "reviews", Bodies.Review(1_000 + turn, shop.Rows.Users - turn, 5), ct));

    public static ChangeProbe ReviewOfBusiest { get; } = new(
        "a review of the product with a tenth of all", (shop, turn, ct) => CreatedAsync(
            shop, "reviews", Bodies.Review(ScaledRows.Busiest, shop.Rows.Users - turn, 5), ct));

    public static IReadOnlyList<ChangeProbe> All { get; } =
    [
        NewProduct,
        new("a changed price", async (shop, turn, ct) =>
        {
            var (path, price) = ($"/products/{2_000 + turn}", 7_000_000m + (turn / 100m));
            await PatchAsync(shop, path, new { price }, ct);
            return new(path, price.ToString("0.00", CultureInfo.InvariantCulture));
        }),
        new("a product in another category", async (shop, turn, ct) =>
        {
            var (path, price) = ($"/products/{1_000 + turn}", 7_000_000m + (turn / 100m));
            await ReplaceAsync(shop, path, Bodies.ProductReplacement(2, price: price), ct);
            return new(path, price.ToString("0.00", CultureInfo.InvariantCulture));
        }),
        Order,
        OrderOfBusiest,
        Review,
        ReviewOfBusiest,
        new("a renamed category of 1,000 products, in one of them", (shop, turn, ct) =>
        {
            var (category, product) = shop.LastProducts[turn % shop.LastProducts.Length];
            return RenamedAsync(shop, category, product, $"Renamed {turn}", ct);
        }),
    ];

    /// <summary>The time from the request until a query shows the change, in milliseconds.</summary>
    public static async Task<double> TakeAsync(ChangeProbe probe, ScaledShop shop, int turn, CancellationToken ct)
    {
        var sent = Stopwatch.GetTimestamp();
        var expected = await probe.SendAsync(shop, turn, ct);
        await VisibleAsync(shop, expected, sent, ct);
        return Stopwatch.GetElapsedTime(sent).TotalMilliseconds;
    }

    /// <summary>Renames a category; the document of a product of it shows the name.</summary>
    public static async Task<ExpectedChange> RenamedAsync(
        ScaledShop shop, int category, int product, string name, CancellationToken ct)
    {
        await ReplaceAsync(shop, $"/categories/{category}", Bodies.Category(name), ct);
        return new($"/products/{product}", $"\"{name}\"");
    }

    public static async Task VisibleAsync(ScaledShop shop, ExpectedChange expected, long since, CancellationToken ct)
    {
        while (!await IsVisibleAsync(shop, expected, ct))
        {
            if (Stopwatch.GetElapsedTime(since) > limit)
                throw new TimeoutException($"{expected.Path} did not show {expected.Text}.");
            await Task.Delay(pause, ct);
        }
    }

    public static Task PatchAsync(ScaledShop shop, string path, object patch, CancellationToken ct) => SendAsync(
        shop,
        HttpMethod.Patch,
        path,
        JsonContent.Create(patch, new MediaTypeHeaderValue("application/merge-patch+json")),
        ct);

    // Product 20, 40, ... are not for sale.
    private static int Active(int turn) => 1_001 + (20 * turn);

    private static async Task<bool> IsVisibleAsync(ScaledShop shop, ExpectedChange expected, CancellationToken ct)
    {
        using var response = await shop.Queries.Http.GetAsync(expected.Path, ct);
        return response.IsSuccessStatusCode
            && (await response.Content.ReadAsStringAsync(ct)).Contains(expected.Text, StringComparison.Ordinal);
    }

    private static async Task<ExpectedChange> CreatedAsync(
        ScaledShop shop, string resource, object body, CancellationToken ct)
    {
        using var response = await shop.Commands.Http.PostAsJsonAsync($"/{resource}", body, ct);
        var text = await response.Content.ReadAsStringAsync(ct);
        if (!response.IsSuccessStatusCode) throw new InvalidOperationException($"POST /{resource}: {text}");
        var id = JsonDocument.Parse(text).RootElement.GetProperty("id").GetInt32();
        return new($"/{resource}/{id}", $"\"id\":{id},");
    }

    private static Task ReplaceAsync(ScaledShop shop, string path, object body, CancellationToken ct) =>
        SendAsync(shop, HttpMethod.Put, path, JsonContent.Create(body), ct);

    private static async Task SendAsync(
        ScaledShop shop, HttpMethod method, string path, HttpContent content, CancellationToken ct)
    {
        using var request = new HttpRequestMessage(method, path) { Content = content };
        using var response = await shop.Commands.Http.SendAsync(request, ct);
        if (!response.IsSuccessStatusCode)
            throw new InvalidOperationException($"{method} {path}: {await response.Content.ReadAsStringAsync(ct)}");
    }
}
