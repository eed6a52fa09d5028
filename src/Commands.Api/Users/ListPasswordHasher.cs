using Microsoft.AspNetCore.Identity;

namespace ApexShop.Commands.Api.Users;

/// <summary>Hashes the passwords of a list.</summary>
internal sealed class ListPasswordHasher(IPasswordHasher<User> hasher, HashingLimit limit)
{
    /// <summary>The hashes in the order of the users; null for a user without a password.</summary>
    public async Task<string?[]> HashAllAsync(IReadOnlyList<UserInput.Body> users, CancellationToken ct)
    {
        var hashes = new string?[users.Count];
        var options = new ParallelOptions { MaxDegreeOfParallelism = HashingLimit.Cores, CancellationToken = ct };
        await Parallel.ForAsync(0, hashes.Length, options, async (i, cancelled) =>
        {
            if (users[i].Password is { } password)
                hashes[i] = await limit.RunAsync(() => hasher.HashPassword(null!, password), cancelled);
        });
        return hashes;
    }
}
