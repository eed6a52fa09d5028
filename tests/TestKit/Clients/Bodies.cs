namespace ApexShop.TestKit.Clients;

/// <summary>Request bodies; a test passes only the values that it is about.</summary>
public static class Bodies
{
    public static object Category(string name) => new { name, description = $"About {name}", isActive = true };

    public static object Product(int categoryId, string name = "Lamp", decimal price = 19.90m, int stock = 100) => new
    {
        name,
        description = "It is a \"thing\" with a price of \u20AC and more",
        price,
        stock,
        categoryId,
        isActive = true,
        isFeatured = false,
    };

    /// <summary>A replacement that keeps the stock.</summary>
    public static object ProductReplacement(int categoryId, string name = "Lamp", decimal price = 19.90m) => new
    {
        name,
        description = "It is a \"thing\" with a price of \u20AC and more",
        price,
        categoryId,
        isActive = true,
        isFeatured = false,
    };

    public static object User(string email, string firstName = "Grace", string lastName = "Hopper") => new
    {
        email,
        password = "correct horse battery staple",
        firstName,
        lastName,
        phoneNumber = "+49 30 1234567",
        isActive = true,
    };

    public static object Order(int userId, params (int ProductId, int Quantity)[] items) => new
    {
        userId,
        shippingAddress = "1 Main Street",
        items = items.Select(item => new { productId = item.ProductId, quantity = item.Quantity }).ToArray(),
    };

    public static object OrderStatus(string status, string? trackingNumber = null) =>
        new { status, shippingAddress = "2 Side Street", trackingNumber };

    public static object Review(int productId, int userId, int rating, string comment = "As described") =>
        new { productId, userId, rating, comment };

    public static object ReviewText(int rating, string comment) => new { rating, comment };
}
