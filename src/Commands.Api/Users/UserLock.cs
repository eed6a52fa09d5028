using ApexShop.Commands.Api.Persistence;
using Npgsql;

namespace ApexShop.Commands.Api.Users;

/// <summary>A user who orders or reviews, and the time by the clock of the database.</summary>
internal sealed record LockedUser(bool IsActive, bool IsErased, DateTimeOffset Now);

/// <summary>
/// Locks a user FOR SHARE: other commands of the user are not blocked, but the user cannot be deactivated, erased or
/// deleted until the transaction ends. Products are locked before, in the order of the foreign keys of a review: the
/// opposite order could deadlock with one.
/// </summary>
internal static class UserLock
{
    private const string Sql =
        $"""
        SELECT is_active, password_hash = '{ErasedPerson.PasswordHash}', now() FROM shop.users WHERE id = $1 FOR SHARE
        """;

    public static NpgsqlBatchCommand Command(int id) =>
        new(Sql) { Parameters = { new NpgsqlParameter<int> { TypedValue = id } } };

    /// <summary>The user, or null if there is none.</summary>
    public static async Task<LockedUser?> ReadAsync(NpgsqlDataReader rows, CancellationToken ct) =>
        await rows.ReadAsync(ct)
            ? new(rows.GetBoolean(0), rows.GetBoolean(1), rows.GetFieldValue<DateTimeOffset>(2))
            : null;

    public static async Task<LockedUser?> LockUserAsync(this ShopDbContext db, int id, CancellationToken ct)
    {
        await using var batch = db.CreateBatch(Command(id));
        await using var rows = await batch.ExecuteReaderAsync(ct);
        return await ReadAsync(rows, ct);
    }
}
