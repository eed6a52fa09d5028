using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>Logins, and the commands and reads of customers with the token of a login.</summary>
internal static class CustomerPlan
{
    /// <summary>Of a user whose e-mail address is certain, sometimes with a wrong password.</summary>
    public static Request Login(KnownShop shop)
    {
        if (shop.Own(Kinds.Users) is not { Email: { } email } one) return UserPlan.Create(shop);
        var isWrong = shop.Chance(0.2);
        return new("users.login", HttpMethod.Post, "/sessions",
            new { email, password = isWrong ? "an entirely wrong password" : UserPlan.Password })
            { Asked = [one.Id], HasWrongPassword = isWrong };
    }

    public static Request Order(KnownShop shop) => shop.AnyCustomer() is { } customer
        ? OrderPlan.Create(shop, customer.Id) with { Customer = customer }
        : Login(shop);

    public static Request Review(KnownShop shop) => shop.AnyCustomer() is { } customer
        ? ReviewPlan.Create(shop, customer.Id) with { Customer = customer }
        : Login(shop);

    /// <summary>Own orders, and sometimes one of another customer, which must not be shown.</summary>
    public static Request? Orders(KnownShop shop)
    {
        if (shop.AnyCustomer() is not { } customer || shop.Any(Kinds.Orders) is not { } order) return null;
        var own = shop.Of(Kinds.Orders).Where(one => one.Parent == customer.Id).Select(one => one.Id).ToList();
        var path = shop.Random.Next(5) switch
        {
            0 => $"/orders/{order.Id}",
            1 when own.Count > 0 => $"/orders/{own[^1]}",
            2 => $"/orders/batch?ids={string.Join(',', own.TakeLast(5).Append(order.Id).Distinct())}",
            3 => "/orders/v2?pageSize=20",
            _ => "/orders/cursor?pageSize=20&sort=-amount",
        };
        var asked = path.Contains("pageSize", StringComparison.Ordinal)
            ? []
            : own.Where(id => Names(path, id)).ToArray();
        return new("orders.own", HttpMethod.Get, path) { Asked = asked, Customer = customer };
    }

    private static bool Names(string path, int id) =>
        path.Split('/', '=', ',').Contains(id.ToString(System.Globalization.CultureInfo.InvariantCulture));
}
