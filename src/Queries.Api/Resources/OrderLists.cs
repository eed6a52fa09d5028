using ApexShop.Resources;

namespace ApexShop.Queries.Api.Resources;

/// <summary>Filters and sorts of orders; a range of dates is sorted by date by default.</summary>
internal static class OrderLists
{
    private const string Newest = "newest";
    private const string Largest = "-amount";

    public static IReadOnlyList<Sort> Sorts { get; } =
    [
        Sort.Id,
        Sort.Descending(Newest, "order_date", ValueKind.Time),
        Sort.Descending(Largest, "total_amount", ValueKind.Amount),
    ];

    public static IReadOnlyList<Filter> Filters { get; } =
    [
        new("customerId", ValueKind.Id, Condition.EqualTo("customer_id", "id", Newest))
        {
            Parent = Resource.Users.Name,
        },
        new("status", ValueKind.OrderStatus, Condition.EqualTo("status", "id")),
        new("fromDate", ValueKind.Time, Condition.From("order_date >= {0}", Newest))
        {
            NotAbove = "toDate",
            Sort = Newest,
        },
        new("toDate", ValueKind.Time, Condition.UpTo("order_date <= {0}", Newest)) { Sort = Newest },
        new("minAmount", ValueKind.Amount, Condition.From("total_amount >= {0}", Largest)),
    ];
}
