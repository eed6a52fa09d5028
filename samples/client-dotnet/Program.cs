using ApexShop.Client;

// Finds products, signs a customer in, orders, and reads the order at once. docs/clients.md explains it.
if (args is not [var words])
{
    await Console.Error.WriteLineAsync("""
        client-dotnet <words>
        Environment: COMMANDS_URL, QUERIES_URL, CUSTOMER_EMAIL, CUSTOMER_PASSWORD.
        """);
    return 2;
}

using var shop = new ShopClient(new ShopClientOptions
{
    Commands = new Uri(Required("COMMANDS_URL")),
    Queries = new Uri(Required("QUERIES_URL")),
});
try
{
    var cart = new List<OrderInputItem>();
    var query = new ProductQuery { Q = words, InStock = true, IsActive = true, Sort = ProductSort.Price };
    await foreach (var product in shop.Products.ListAsync(query))
    {
        Console.WriteLine($"{product.Name}: {product.Price} {product.Currency}, {product.Stock} in stock");
        if (cart.Count < 2) cart.Add(new OrderInputItem(product.Id, 1));
    }

    var session = await shop.SignInAsync(Required("CUSTOMER_EMAIL"), Required("CUSTOMER_PASSWORD"));
    using var customer = shop.As(session.Token);

    var placed = await customer.Orders.CreateAsync(new OrderInput(session.CustomerId, "1 Main Street", cart));
    var order = await customer.Orders.GetAsync(placed.Id);
    Console.WriteLine(
        $"Order {order.Id} of {order.Customer.Name}: {order.Status}, {order.TotalAmount} {order.Currency}");
    foreach (var item in order.Items) Console.WriteLine($"  {item.Quantity} x {item.ProductName}: {item.TotalPrice}");
    return 0;
}
catch (ShopProblemException refused)
{
    await Console.Error.WriteLineAsync($"{refused.Message} (trace {refused.TraceId})");
    return 1;
}

static string Required(string name) =>
    Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"{name} is not set.");
