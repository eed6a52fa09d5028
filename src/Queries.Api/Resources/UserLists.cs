using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Queries.Api.Resources;

/// <summary>Filters and sorts of users.</summary>
internal static class UserLists
{
    private const string Newest = "newest";

    public static IReadOnlyList<Sort> Sorts { get; } =
        [Sort.Id, Sort.Descending(Newest, "created_date", ValueKind.Time)];

    public static IReadOnlyList<Filter> Filters { get; } =
    [
        new("isActive", ValueKind.Flag, Condition.Common("is_active"), Condition.Contiguous("NOT is_active", "id")),
        new("createdAfter", ValueKind.Time, Condition.From("created_date > {0}", Newest)) { Sort = Newest },
        // PostgreSQL estimates that many rows match an expression, and would scan all users in another order to find
        // one.
        new("email", ValueKind.EmailAddress, Condition.Contiguous("lower(email) = lower({0})", "id") with
        {
            SqlForOtherSorts = $"""
                id = ANY (ARRAY(SELECT u.id FROM {ReadTables.Of(Resource.Users.Name)} u
                    WHERE NOT u.is_deleted AND lower(u.email) = lower({"{0}"})))
                """,
        }),
    ];
}
