using ApexShop.ReadModels;

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
        // PostgreSQL takes an expression for common, and would walk all users in another order to meet one.
        new("email", ValueKind.Address, Condition.Together("lower(email) = lower({0})", "id") with
        {
            Elsewhere = $"""
                id = ANY (ARRAY(SELECT u.id FROM {ReadTables.Of("users")} u
                    WHERE NOT u.is_deleted AND lower(u.email) = lower({"{0}"})))
                """,
        }),
    ];
}
