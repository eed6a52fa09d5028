using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text.Json;

namespace ApexShop.Load.WriteSide;

/// <summary>What is sent: of the size that the sample shop's products have.</summary>
internal static class Bodies
{
    private const string Description =
        "Made by the benchmark: sturdy, light and quick to clean, with a warranty of two years and spare parts for ten.";

    public static object Product(int categoryId) =>
        new { name = "Reliable Steel Lamp", description = Description, price = 129.90m, stock = 25, categoryId };

    /// <summary>Written once and sent again and again: the sender shares the machine with what is measured.</summary>
    public static byte[] Json(object body) => JsonSerializer.SerializeToUtf8Bytes(body);

    public static ByteArrayContent Content(byte[] json)
    {
        var content = new ByteArrayContent(json);
        content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        return content;
    }

    /// <summary>Creates a product and gives its id.</summary>
    public static Task<int> CreateAsync(HttpClient client, byte[] product, CancellationToken ct) =>
        IdAsync(client.PostAsync("/products", Content(product), ct), ct);

    public static Task<int> CreateCategoryAsync(HttpClient client, CancellationToken ct) =>
        IdAsync(client.PostAsync("/categories", Content(Json(new { name = "Lights" })), ct), ct);

    private static async Task<int> IdAsync(Task<HttpResponseMessage> sent, CancellationToken ct)
    {
        using var answer = await sent;
        answer.EnsureSuccessStatusCode();
        return (await answer.Content.ReadFromJsonAsync<JsonElement>(ct)).GetProperty("id").GetInt32();
    }
}
