using System.Globalization;
using System.Net.Http.Json;
using System.Security.Cryptography;
using ApexShop.Resources;
using ApexShop.TestKit;

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
    public static async Task<Person> OrderAsync(Shop shop, ShopClient client, int product)
    {
        string[] names = [.. Enumerable.Range(0, 9).Select(_ => $"q{RandomNumberGenerator.GetHexString(24, true)}")];
        var phones = new[] { NewPhone(), NewPhone() };
        var user = await client.CreateAsync(
            Resource.Users.Name, Registration($"{names[0]}@example.com", names[1], names[2], phones[0]));
        await client.ReplaceAsync(
            Resource.Users.Name, user.Id, Registration($"{names[3]}@example.com", names[4], names[2], phones[1]));
        var order = await OrderAsync(client, user.Id, product, names[5]);
        await ReplaceAsync(shop, order, new { status = "Processing", shippingAddress = $"1 {names[6]} Street" });
        await ReplaceAsync(shop, order, new { status = "Shipped", trackingNumber = names[7] });
        await ReplaceAsync(shop, order, new { status = "Delivered" });
        await client.DeleteAsync(Resource.Orders.Name, await OrderAsync(client, user.Id, product, names[8]));
        await client.CreateAsync(Resource.Reviews.Name, Bodies.Review(product, user.Id, 4));
        return new(
            user.Id, names[4], [names[3], names[4], names[2], phones[1], names[6], names[7]],
            [names[0], names[1], phones[0], names[5], names[8]]);
    }

    private static string NewPhone() =>
        string.Concat(Enumerable.Range(0, 20).Select(_ => RandomNumberGenerator.GetInt32(1, 10)));

    private static object Registration(string email, string firstName, string lastName, string phoneNumber) =>
        new { email, password = "correct horse battery staple", firstName, lastName, phoneNumber, isActive = true };

    private static async Task<int> OrderAsync(ShopClient client, int user, int product, string street)
    {
        var body = new
        {
            userId = user,
            shippingAddress = $"1 {street} Street\nBehind the \"{street}\"",
            items = new[] { new { productId = product, quantity = 1 } },
        };
        return (await client.CreateAsync(Resource.Orders.Name, body)).Id;
    }

    private static async Task ReplaceAsync(Shop shop, int order, object patch)
    {
        var path = string.Create(CultureInfo.InvariantCulture, $"/{Resource.Orders.Name}/{order}");
        using var response = await shop.Commands.Http.PatchAsJsonAsync(path, patch);
        response.IsSuccessStatusCode.ShouldBeTrue(await response.Content.ReadAsStringAsync());
    }
}
