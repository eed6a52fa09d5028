using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Commands;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Users;

/// <summary>Finds the e-mail addresses of a list that occur in it twice or that other users have.</summary>
internal static class UniqueEmailCheck
{
    private sealed record Taken(int Place, bool IsRepeated);

    /// <param name="db">The database.</param>
    /// <param name="items">The items of the request.</param>
    /// <param name="ids">The users that get the addresses; empty when the users are new.</param>
    /// <param name="ct">Cancels the query.</param>
    /// <remarks>
    /// An address that a user of the same list has now, and would lose, counts as taken, because the result would
    /// depend on the order in which the rows are written.
    /// </remarks>
    public static async Task<Problem?> RunAsync(
        ShopDbContext db, IReadOnlyList<UserInput.Body> items, int[] ids, CancellationToken ct)
    {
        var emails = items.Select(item => item.Email).ToArray();
        var taken = await db.Database.SqlQuery<Taken>(
            $"""
            SELECT (place - 1)::int AS "Place", is_repeated AS "IsRepeated" FROM (
                SELECT n.place, row_number() OVER (PARTITION BY lower(n.email) ORDER BY n.place) > 1 AS is_repeated,
                    EXISTS (SELECT FROM shop.users AS u
                        WHERE lower(u.email) = lower(n.email) AND u.id IS DISTINCT FROM n.id) AS is_taken
                FROM unnest({emails}, {ids}) WITH ORDINALITY AS n (email, id, place)) AS checked
            WHERE is_repeated OR is_taken ORDER BY place
            """).ToListAsync(ct);
        if (taken.Count == 0) return null;

        var errors = new ItemErrors();
        foreach (var (place, isRepeated) in taken)
        {
            if (isRepeated) errors.Add(place, "email", $"The address occurs earlier in the list.");
            else errors.Add(place, "email", $"Another user has this e-mail address.");
        }

        return errors.ToProblem(
            StatusCodes.Status409Conflict, "user.email_taken", "An e-mail address belongs to one user.");
    }
}
