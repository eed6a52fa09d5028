using System.Text;
using System.Text.Json;
using ApexShop.Events;
using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.Tests.Harness;

/// <summary>The documents that a history must end in, worked out from the last states alone.</summary>
internal sealed class Recomputation(IReadOnlyList<LogEntry> history, string currency = "USD")
{
    private readonly Dictionary<(string Resource, int Id), LogEntry> last = history
        .GroupBy(entry => (entry.Resource, entry.AggregateId))
        .ToDictionary(entries => entries.Key, entries => entries.Last());

    /// <summary>By resource and id: the body, or the version a deletion left.</summary>
    public SortedDictionary<string, string> Documents()
    {
        var documents = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var ((resource, id), entry) in last)
        {
            documents[$"{resource}/{id}"] = IsDeleted(entry)
                ? $"deleted at {JsonSerializer.Deserialize(entry.Data.Span, EventJson.Wire.DeletedState)!.Version}"
                : Encoding.UTF8.GetString(
                    JsonSerializer.SerializeToUtf8Bytes(View(entry), View(entry).GetType(), ReadModelJson.Wire));
        }

        return documents;
    }

    /// <summary>By resource and id: the body.</summary>
    public SortedDictionary<string, string> Living() => new(
        Documents().Where(one => one.Value[0] == '{').ToDictionary(), StringComparer.Ordinal);

    private object View(LogEntry entry) => Read(entry) switch
    {
        ProductState p => new ProductView(
            p.Id, p.Name, p.Description, p.Price, p.Stock, p.IsActive, p.IsFeatured, p.CreatedDate, p.UpdatedDate,
            new Reference(p.CategoryId, Find<CategoryState>(Resource.Categories.Name, p.CategoryId)?.Name), RatingOf(
                p.Id), p.Version, p.Sku, p.Slug,
            [.. p.Images!.Select(image => new ProductImage(image.Url, image.Alt, image.Width, image.Height))],
            currency),
        CategoryState c => new CategoryView(
            c.Id, c.Name, c.Description, c.IsActive, c.CreatedDate,
            All<ProductState>(Resource.Products.Name).Count(product => product.CategoryId == c.Id), c.Version),
        OrderState o => new OrderView(
            o.Id,
            new Reference(o.UserId, Full(o.UserId)),
            o.OrderDate,
            o.Status,
            o.TotalAmount,
            o.ShippingAddress,
            o.TrackingNumber,
            o.ShippedDate, o.DeliveredDate, [.. o.Items.Select(Item)], o.Items.Count, o.Version,
            o.StatusHistory?.Select(status => new OrderStatusView(status.Status, status.Time, status.Actor)).ToList(),
            currency),
        ReviewState r => new ReviewView(
            r.Id, new Reference(r.ProductId, Find<ProductState>(Resource.Products.Name, r.ProductId)?.Name),
            new Reference(
                r.UserId, Initialled(r.UserId)), r.Rating, r.Comment, r.CreatedDate, r.IsVerifiedPurchase, r.Version),
        UserState u => User(u),
        var other => throw new InvalidOperationException($"No view of {other}."),
    };

    private UserView User(UserState u)
    {
        var orders = All<OrderState>(Resource.Orders.Name).Where(order => order.UserId == u.Id).ToList();
        return new UserView(
            u.Id,
            u.Email,
            u.FirstName,
            u.LastName,
            u.PhoneNumber,
            u.CreatedDate,
            u.LastLoginDate,
            u.IsActive,
            orders.Count,
            orders.Where(order => order.Status != "Cancelled").Sum(order => order.TotalAmount), u.Version);
    }

    private static OrderItemView Item(OrderItemState item) =>
        new(item.ProductId, item.ProductName, item.Quantity, item.UnitPrice, item.TotalPrice);

    private Rating RatingOf(int product)
    {
        var ratings = All<ReviewState>(Resource.Reviews.Name).Where(review => review.ProductId == product).Select(
            review => (decimal)review.Rating).ToList();
        return ratings.Count == 0
            ? new Rating(0, 0)
            : new Rating(Math.Round(ratings.Average(), 2, MidpointRounding.AwayFromZero), ratings.Count);
    }

    private string? Full(int user) =>
        Find<UserState>(Resource.Users.Name, user) is { } u ? $"{u.FirstName} {u.LastName}" : null;

    private string? Initialled(int user) =>
        Find<UserState>(Resource.Users.Name, user) is { } u ? $"{u.FirstName} {u.LastName[..1]}." : null;

    private TState? Find<TState>(string resource, int id)
        where TState : class => last.TryGetValue((resource, id), out var entry) && !IsDeleted(entry)
            ? (TState)Read(entry)
            : null;

    private IEnumerable<TState> All<TState>(string resource) =>
        last.Values.Where(entry => entry.Resource == resource && !IsDeleted(entry)).Select(Read).Cast<TState>();

    private static bool IsDeleted(LogEntry entry) => entry.Type.EndsWith(".deleted", StringComparison.Ordinal);

    private static object Read(LogEntry entry) => JsonSerializer.Deserialize(
        entry.Data.Span,
        EventTypes.All.First(type => type.Resource == entry.Resource).Data,
        EventJson.Wire)!;
}
