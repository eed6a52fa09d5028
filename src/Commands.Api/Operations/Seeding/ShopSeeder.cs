using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Users;
using Microsoft.AspNetCore.Identity;
using Npgsql;

namespace ApexShop.Commands.Api.Operations.Seeding;

/// <summary>The progress of one resource; <paramref name="Added"/>: rows of this chunk.</summary>
internal sealed record SeedProgress(string Resource, int Done, int Total, int Added);

/// <summary>
/// Fills the shop chunk by chunk. One transaction writes a chunk's rows, their outbox rows and the chunk's mark. Chunks
/// that are marked are skipped, so an interrupted run can be repeated, and concurrent runs share the work. No later row
/// refers to one that was deleted.
/// </summary>
internal sealed class ShopSeeder(NpgsqlDataSource database, OutboxSignal signal, Actor actor, TimeProvider clock)
{
    // The marks refer to chunks of this size; it must not change.
    private const int ChunkSize = 2_500;

    public async IAsyncEnumerable<SeedProgress> RunAsync(int scale, [EnumeratorCancellation] CancellationToken ct)
    {
        var hashing = Task.Run(PasswordHash, ct);
        await using var connection = await database.OpenConnectionAsync(ct);
        using var copy = new CopyWriter(connection, clock, actor.Name);
        for (var shop = 0; shop < scale; shop++)
        {
            var written = await SeededChunks.ReadAsync(connection, shop, ct);
            foreach (var table in SeedTable.Of(new ShopFaker(shop), await hashing))
            {
                for (var first = 0; first < table.Ids.Length; first += ChunkSize)
                {
                    var ids = table.Ids.AsMemory(first, Math.Min(ChunkSize, table.Ids.Length - first));
                    var added = await WriteAsync(copy, written, table, first, ids, ct);
                    signal.Send();
                    var done = shop * table.Ids.Length + first + ids.Length;
                    yield return new SeedProgress(table.Resource, done, scale * table.Ids.Length, added);
                }
            }
        }
    }

    // Returns how many rows it has added.
    private static async Task<int> WriteAsync(
        CopyWriter copy, SeededChunks written, SeedTable table, int first, Memory<int> ids, CancellationToken ct)
    {
        var (chunk, added) = (first / ChunkSize, 0);
        var isNew = !written.TryGet(table.Resource, chunk, ids);
        if (isNew)
        {
            await using var transaction = await copy.Connection.BeginTransactionAsync(ct);
            isNew = await written.TakeAsync(copy.Connection, table, chunk, ids, ct);
            if (isNew) added = await table.WriteAsync(copy, first, ids, ct);
            await transaction.CommitAsync(CancellationToken.None);
        }

        if (!isNew) await SeededChunks.MarkMissingAsync(copy.Connection, table.Resource, ids, ct);
        return added;
    }

    // One hash for all users, since computing it takes as long as seeding a thousand users. The random password is not
    // stored, so no client can log in as a seeded user.
    private static string PasswordHash() =>
        new PasswordHasher<User>().HashPassword(null!, Convert.ToBase64String(RandomNumberGenerator.GetBytes(32)));
}
