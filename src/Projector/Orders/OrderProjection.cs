using ApexShop.Events;
using ApexShop.Projector.ReadModels;
using ApexShop.Projector.Users;
using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.Orders;

/// <summary>Order documents show the names of their customer and of the products in them.</summary>
internal sealed class OrderProjection() : Projection<OrderState, OrderView>(
    Resource.Orders.Name,
    EventJson.Reading<OrderState>(),
    ReadModelJson.Wire.OrderView,
    [
        new Column<OrderView, int?>("customer_id", "integer", view => view.Customer.Id),
        new Column<OrderView, string>("status", "text", view => view.Status),
        new Column<OrderView, decimal?>("total_amount", "numeric", view => view.TotalAmount),
        new Column<OrderView, DateTimeOffset?>("order_date", "timestamptz", view => view.OrderDate),
        new IdsColumn<OrderView>("product_ids", view => view.Items.Select(item => item.ProductId).Distinct()),
    ])
{
    private const string Cancelled = "Cancelled";

    protected override IReadOnlyList<(string Column, string Kind)> Referring => [("customer_id", Resource.Users.Name)];

    protected override bool IsWhole(OrderState state) => state.Items.All(item => item is not null);

    protected override OrderView View(OrderState state) => new(
        state.Id,
        new Reference(state.UserId, null),
        state.OrderDate,
        state.Status,
        state.TotalAmount,
        state.ShippingAddress,
        state.TrackingNumber,
        state.ShippedDate,
        state.DeliveredDate,
        [.. state.Items.Select(item =>
            new OrderItemView(item.ProductId, null, item.Quantity, item.UnitPrice, item.TotalPrice))],
        state.Items.Count,
        state.Version);

    protected override OrderState State(OrderView view) => new(
        view.Id,
        view.Customer.Id,
        view.OrderDate,
        view.Status,
        view.TotalAmount,
        view.ShippingAddress,
        view.TrackingNumber,
        view.ShippedDate,
        view.DeliveredDate,
        [.. view.Items.Select(item =>
            new OrderItemState(item.ProductId, item.Quantity, item.UnitPrice, item.TotalPrice))],
        view.Version);

    protected override Func<OrderView, OrderView> Derive(ILookups lookups, IReadOnlyCollection<OrderView> plain)
    {
        var users = lookups.Ask(Lookup.UserNames, plain.Select(view => view.Customer.Id));
        var items = plain.SelectMany(view => view.Items);
        var products = lookups.Ask(Lookup.ProductNames, items.Select(item => item.ProductId));
        return view => view with
        {
            Customer = view.Customer with { Name = users.Full(view.Customer.Id) },
            Items =
            [
                .. view.Items.Select(item => item with { ProductName = products.GetValueOrDefault(item.ProductId) }),
            ],
        };
    }

    protected override void Affect(Transition<OrderView> change, Affected affected)
    {
        var (_, before, after) = change;
        if (before is not null && after is not null && Totals(before) == Totals(after)) return;
        if (before is not null) affected.Add(Resource.Users.Name, before.Customer.Id);
        if (after is not null) affected.Add(Resource.Users.Name, after.Customer.Id);
    }

    protected override IEnumerable<(string Kind, int Id)> Parents(OrderView view) =>
        [(Resource.Users.Name, view.Customer.Id)];

    private static (int Customer, bool Counts, decimal Amount) Totals(OrderView view) =>
        (view.Customer.Id, view.Status != Cancelled, view.TotalAmount);
}
