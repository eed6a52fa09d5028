using System.Diagnostics;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text.Json;

namespace ApexShop.Load.WriteSide;

/// <summary>Request bodies of the size of the sample shop's products.</summary>
internal static class Bodies
{
    public const string Name = "Reliable Steel Lamp";
    public const decimal Price = 129.90m;
    public const int Stock = 25;

    public const string Description =
        "Made by the benchmark: sturdy, light and quick to clean, with a warranty of two years and spare parts "
        + "for ten.";

    internal sealed record NewProduct(string Name, string Description, decimal Price, int Stock, int CategoryId);

    public static NewProduct Product(int categoryId) => new(Name, Description, Price, Stock, categoryId);

    /// <summary>An order of one piece of each product.</summary>
    public static object Order(int userId, params IEnumerable<int> products) => new
    {
        userId,
        shippingAddress = "Benchmark Street 1, 12345 Testville",
        items = products.Select(productId => new { productId, quantity = 1 }),
    };

    /// <summary>A replacement with another price.</summary>
    public static object Replacement(int categoryId) =>
        new { name = Name, description = Description, price = Price + 1, categoryId };

    /// <summary>
    /// Serialized once and sent repeatedly, as the sender shares the machine with the measured process.
    /// </summary>
    public static byte[] Json(object body) => JsonSerializer.SerializeToUtf8Bytes(body, JsonSerializerOptions.Web);

    public static ByteArrayContent Content(byte[] json)
    {
        var content = new ByteArrayContent(json);
        content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        return content;
    }

    /// <summary>Milliseconds until the successful response is read.</summary>
    public static async Task<double> TimeAsync(Func<Task<HttpResponseMessage>> send)
    {
        var started = Stopwatch.GetTimestamp();
        using var response = await send();
        var elapsed = Stopwatch.GetElapsedTime(started).TotalMilliseconds;
        response.EnsureSuccessStatusCode();
        return elapsed;
    }

    /// <summary>Creates a product and returns its id.</summary>
    public static Task<int> CreateAsync(HttpClient client, byte[] product, CancellationToken ct) =>
        IdAsync(client.PostAsync("/products", Content(product), ct), ct);

    public static Task<int> CreateCategoryAsync(HttpClient client, CancellationToken ct) =>
        IdAsync(client.PostAsync("/categories", Content(Json(new { name = "Lights" })), ct), ct);

    public static Task<int> CreateUserAsync(HttpClient client, CancellationToken ct)
    {
        var user = new { email = "a@example.com", firstName = "Bench", lastName = "Mark", password = "bench-123456" };
        return IdAsync(client.PostAsync("/users", Content(Json(user)), ct), ct);
    }

    private static async Task<int> IdAsync(Task<HttpResponseMessage> sent, CancellationToken ct)
    {
        using var response = await sent;
        response.EnsureSuccessStatusCode();
        return (await response.Content.ReadFromJsonAsync<JsonElement>(ct)).GetProperty("id").GetInt32();
    }
}
