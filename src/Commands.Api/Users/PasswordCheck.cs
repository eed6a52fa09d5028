using System.Security.Cryptography;
using Microsoft.AspNetCore.Identity;

namespace ApexShop.Commands.Api.Users;

/// <summary>
/// Verifies passwords. Without a user it verifies against a hash of no user, so that the time of a response does not
/// show whether there is a user.
/// </summary>
internal sealed class PasswordCheck(IPasswordHasher<User> hasher, HashingLimit limit)
{
    private readonly string ofNoUser = hasher.HashPassword(
        null!, Convert.ToBase64String(RandomNumberGenerator.GetBytes(32)));

    /// <param name="hash">The hash of the user; null when there is none.</param>
    /// <param name="password">The password of the request.</param>
    /// <param name="ct">Ends the wait for a core.</param>
    public async Task<bool> IsVerifiedAsync(string? hash, string password, CancellationToken ct)
    {
        var result = await limit.RunAsync(
            () => hasher.VerifyHashedPassword(null!, hash ?? ofNoUser, password), ct);
        return result != PasswordVerificationResult.Failed && hash is not null;
    }
}
