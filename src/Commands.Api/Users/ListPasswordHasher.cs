using Microsoft.AspNetCore.Identity;

namespace ApexShop.Commands.Api.Users;

/// <summary>Hashes the passwords of a list; all requests together use at most half of the cores.</summary>
internal sealed class ListPasswordHasher(IPasswordHasher<User> hasher) : IDisposable
{
    private readonly SemaphoreSlim cores = new(Cores);

    private static int Cores => Math.Max(1, Environment.ProcessorCount / 2);

    /// <summary>The hashes in the order of the users; null for a user without a password.</summary>
    public async Task<string?[]> HashAllAsync(IReadOnlyList<UserInput.Body> users, CancellationToken ct)
    {
        var hashes = new string?[users.Count];
        var options = new ParallelOptions { MaxDegreeOfParallelism = Cores, CancellationToken = ct };
        await Parallel.ForAsync(0, hashes.Length, options, async (i, cancelled) =>
        {
            if (users[i].Password is not { } password) return;
            await cores.WaitAsync(cancelled);
            try
            {
                hashes[i] = hasher.HashPassword(null!, password);
            }
            finally
            {
                cores.Release();
            }
        });
        return hashes;
    }

    public void Dispose() => cores.Dispose();
}
