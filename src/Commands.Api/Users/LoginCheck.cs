using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Persistence;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Users;

/// <summary>A user whose password was verified with this hash.</summary>
internal sealed record VerifiedUser(int Id, string PasswordHash);

/// <summary>Finds the active user with an e-mail address and verifies the password.</summary>
internal sealed class LoginCheck(ShopDbContext db, PasswordCheck passwords)
{
    public static Problem Refused => new(
        StatusCodes.Status401Unauthorized, "session.refused", "The e-mail address or the password is wrong.");

    public async Task<Result<VerifiedUser>> FindAsync(string email, string password, CancellationToken ct)
    {
        var user = await FindAsync(email, ct);
        return await passwords.IsVerifiedAsync(user?.PasswordHash, password, ct) ? user! : Refused;
    }

    // Committed, so that a refusal is not of a server that was replaced, and for each address, so that the time of a
    // response does not show whether there is a user.
    private async Task<VerifiedUser?> FindAsync(string email, CancellationToken ct)
    {
        await using var transaction = await db.BeginAsync(ct);
        var found = await db.Database.SqlQuery<VerifiedUser>(
            $"""
            SELECT id AS "Id", password_hash AS "PasswordHash" FROM shop.users
            WHERE lower(email) = lower({email}) AND is_active
            """).ToListAsync(ct);
        await transaction.CommitAsync();
        return found.SingleOrDefault();
    }
}
