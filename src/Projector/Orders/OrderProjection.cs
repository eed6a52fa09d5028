using ApexShop.Events;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Users;
using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.Orders;

/// <summary>
/// Order documents show the name of their customer and the shop's currency; the names of products are in the state.
/// </summary>
internal sealed class OrderProjection(string currency) : Projection<OrderState, OrderView>(
    Resource.Orders.Name,
    EventJson.Reading<OrderState>(),
    ReadModelJson.Wire.OrderView,
    [
        new Column<OrderView, int?>("customer_id", "integer", view => view.Customer.Id),
        new Column<OrderView, string>("status", "text", view => view.Status),
        new Column<OrderView, decimal?>("total_amount", "numeric", view => view.TotalAmount),
        new Column<OrderView, DateTimeOffset?>("order_date", "timestamptz", view => view.OrderDate),
    ])
{
    public static readonly ReferenceQuery OfUser = new ReferenceQuery<(string First, string Last)>(
        Resource.Orders.Name, "customer_id", "customer", DerivedValue.UserName, UserNames.Full);

    private const string Cancelled = "Cancelled";

    protected override IReadOnlyList<(string Column, string Kind)> References => [("customer_id", Resource.Users.Name)];

    protected override bool IsWhole(OrderState state) =>
        state.Items.All(item => item is not null)
            && state.StatusHistory?.All(status => status is not null) is not false;

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
            new OrderItemView(item.ProductId, item.ProductName, item.Quantity, item.UnitPrice, item.TotalPrice))],
        state.Items.Count,
        state.Version,
        state.StatusHistory?.Select(status => new OrderStatusView(status.Status, status.Time, status.Actor)).ToList(),
        currency);

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
            new OrderItemState(item.ProductId, item.ProductName, item.Quantity, item.UnitPrice, item.TotalPrice))],
        view.StatusHistory?.Select(status => new OrderStatusState(status.Status, status.Time, status.Actor)).ToList(),
        view.Version);

    protected override void LoadValues(LoadedValues values, IReadOnlyCollection<OrderView> plain) =>
        OfUser.LoadNames(values, plain.Select(view => view.Customer.Id));

    protected override (TotalsTable Table, Func<OrderView, (int Id, decimal Value)> Of)? Totals =>
        (TotalsTable.OfOrders, view => (view.Customer.Id, view.Status == Cancelled ? 0 : view.TotalAmount));

    protected override OrderView Derive(OrderView view, LoadedValues values) =>
        view with { Customer = view.Customer with { Name = OfUser.NameOf(values, view.Customer.Id) } };

    protected override IEnumerable<(string Kind, int Id)> Parents(OrderView view) =>
        [(Resource.Users.Name, view.Customer.Id)];
}
