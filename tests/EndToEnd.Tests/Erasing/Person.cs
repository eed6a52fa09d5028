using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.Resources;

namespace ApexShop.EndToEnd.Tests.Erasing;

/// <summary>A customer whose values are each a unique text; the former ones are in earlier events only.</summary>
internal sealed record Person(
    int Id, string FirstName, IReadOnlyList<string> Current, IReadOnlyList<string> Former)
{
    public IReadOnlyList<string> All => [.. Current, .. Former];

    /// <summary>
    /// Registers a user who then changes the address, orders, changes the order, gets it, reviews, and orders again and
    /// cancels.
    /// </summary>
    public static async Task<Person> OrderAsync(HttpClient commands, int product)
    {
        string[] texts = [.. Enumerable.Range(0, 11).Select(_ => Canary.New())];
        var id = await CreateAsync(commands, Resource.Users, Registration(texts[0], texts[1], texts[2], texts[3]));
        var change = new { email = $"{texts[4]}@example.com", firstName = texts[5], phoneNumber = texts[6] };
        await SendAsync(commands, HttpMethod.Patch, $"users/{id}", change);
        var order = $"orders/{await OrderAsync(commands, id, product, texts[7])}";
        await SendAsync(
            commands, HttpMethod.Patch, order,
            new { status = "Processing", shippingAddress = $"1 {texts[8]} Street" });
        await SendAsync(commands, HttpMethod.Patch, order, new { status = "Shipped", trackingNumber = texts[9] });
        await SendAsync(commands, HttpMethod.Patch, order, new { status = "Delivered" });
        var cancelled = await OrderAsync(commands, id, product, texts[10]);
        await SendAsync(commands, HttpMethod.Delete, $"orders/{cancelled}", null);
        await CreateAsync(commands, Resource.Reviews, Bodies.Review(product, id, 4));
        return new(
            id, texts[5], [texts[4], texts[5], texts[2], texts[6], texts[8], texts[9]],
            [texts[0], texts[1], texts[3], texts[7], texts[10]]);
    }

    private static object Registration(string address, string firstName, string lastName, string phoneNumber) => new
    {
        email = $"{address}@example.com",
        password = "correct horse battery staple",
        firstName,
        lastName,
        phoneNumber,
        isActive = true,
    };

    private static Task<int> OrderAsync(HttpClient commands, int user, int product, string street)
    {
        var body = new
        {
            userId = user,
            shippingAddress = $"1 {street} Street\nBehind the \"{street}\"",
            items = new[] { new { productId = product, quantity = 1 } },
        };
        return CreateAsync(commands, Resource.Orders, body);
    }

    private static async Task<int> CreateAsync(HttpClient commands, Resource resource, object body) =>
        (int)JsonNode.Parse(await SendAsync(commands, HttpMethod.Post, resource.Name, body))!["id"]!;

    private static async Task<string> SendAsync(HttpClient commands, HttpMethod method, string path, object? body)
    {
        using var request = new HttpRequestMessage(method, $"/{path}");
        if (body is not null) request.Content = JsonContent.Create(body);
        using var response = await commands.SendAsync(request);
        var text = await response.Content.ReadAsStringAsync();
        response.IsSuccessStatusCode.ShouldBeTrue(text);
        return text;
    }
}
