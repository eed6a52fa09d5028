using ApexShop.Commands.Api.Persistence;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Users;

/// <summary>A user who orders or reviews, and the time by the clock of the database.</summary>
internal sealed record LockedUser(bool IsActive, DateTimeOffset Now);

internal static class UserLock
{
    /// <summary>
    /// Locks the user FOR SHARE, or returns null if there is none: other commands of the user are not blocked, but the
    /// user cannot be deactivated or deleted until the transaction ends. Products are locked before, in the order of
    /// the foreign keys of a review: the opposite order could deadlock with one.
    /// </summary>
    public static async Task<LockedUser?> LockUserAsync(this ShopDbContext db, int id, CancellationToken ct)
    {
        var users = await db.Database.SqlQuery<LockedUser>(
            $"""SELECT is_active AS "IsActive", now() AS "Now" FROM shop.users WHERE id = {id} FOR SHARE""")
            .ToListAsync(ct);
        return users.SingleOrDefault();
    }
}
