namespace ApexShop.Queries.Api.Resources;

/// <summary>Filters and sorts of users.</summary>
internal static class UserLists
{
    private const string Newest = "newest";

    public static IReadOnlyList<Sort> Sorts { get; } = [Sort.Id, Sort.Down(Newest, "created_date", ValueKind.Time)];

    public static IReadOnlyList<Filter> Filters { get; } =
    [
        new("isActive", ValueKind.Flag, Condition.Common("is_active"), Condition.Together("NOT is_active", "id")),
        new("createdAfter", ValueKind.Time, Condition.From("created_date > {0}", Newest)) { Sort = Newest },
        new("email", ValueKind.Address, Condition.Together("lower(email) = lower({0})", "id")),
    ];
}
