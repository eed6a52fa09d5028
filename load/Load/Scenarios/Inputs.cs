using System.Globalization;

namespace ApexShop.Load.Scenarios;

/// <summary>Request bodies of the same size as the sample shop's rows.</summary>
internal static class Inputs
{
    public static object Product(int categoryId) => new
    {
        name = "Reliable Steel Lamp",
        description =
            "Made under load: sturdy, light and quick to clean, with a warranty of two years and spare parts for ten.",
        price = Random.Shared.Next(100, 50_000) / 100m,
        stock = 25,
        categoryId,
    };

    public static object Review(int productId, int userId, int rating) =>
        new
        {
            productId, userId, rating,
            comment = "Does what it says, arrived in time and looks better than in the picture.",
        };

    public static string Email() => string.Create(CultureInfo.InvariantCulture, $"load-{Guid.NewGuid():N}@example.com");

    public static object User(string email) =>
        new
        {
            email, password = "correct horse battery staple", firstName = "Ada", lastName = "Lovelace",
            phoneNumber = "+49 30 1234567",
        };

    public static object Order(int userId, IEnumerable<int> products) => new
    {
        userId,
        shippingAddress = "1 Analytical Street, London",
        items = products.Distinct().Select(productId => new { productId, quantity = 1 }).ToArray(),
    };

    public static object OrderStatus(string status) => new { status, shippingAddress = "2 Analytical Street, London" };

    public static T Pick<T>(this IReadOnlyList<T> list) => list[Random.Shared.Next(list.Count)];
}
