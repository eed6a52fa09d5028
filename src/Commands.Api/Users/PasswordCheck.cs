using System.Security.Cryptography;
using Microsoft.AspNetCore.Identity;

namespace ApexShop.Commands.Api.Users;

/// <summary>
/// Verifies passwords. Without a user it verifies against a hash of no user, so that the time of a response does not
/// show whether there is a user. All requests together use at most half of the cores: anyone may send them.
/// </summary>
internal sealed class PasswordCheck(IPasswordHasher<User> hasher) : IDisposable
{
    private readonly SemaphoreSlim cores = new(Cores);

    private readonly string ofNoUser = hasher.HashPassword(
        null!, Convert.ToBase64String(RandomNumberGenerator.GetBytes(32)));

    public static int Cores => Math.Max(1, Environment.ProcessorCount / 2);

    /// <param name="hash">The hash of the user; null when there is none.</param>
    /// <param name="password">The password of the request.</param>
    /// <param name="ct">Ends the wait for a core.</param>
    public async Task<bool> IsVerifiedAsync(string? hash, string password, CancellationToken ct)
    {
        await cores.WaitAsync(ct);
        try
        {
            var result = hasher.VerifyHashedPassword(null!, hash ?? ofNoUser, password);
            return result != PasswordVerificationResult.Failed && hash is not null;
        }
        finally
        {
            cores.Release();
        }
    }

    public void Dispose() => cores.Dispose();
}
