using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Users;
using Microsoft.AspNetCore.Identity;
using Npgsql;

namespace ApexShop.Commands.Api.Admin;

/// <summary>How far a kind is; <paramref name="Added"/> is what this run wrote of it since the line before.</summary>
internal sealed record SeedProgress(string Kind, int Done, int Total, int Added);

/// <summary>
/// Fills the shop, chunk by chunk. A chunk is one transaction of rows, outbox rows and the note that it is there: what
/// is there is skipped, a run that was cut goes on, and two runs at once share the work.
/// </summary>
internal sealed class ShopSeeder(NpgsqlDataSource database, OutboxSignal signal, TimeProvider clock)
{
    // Part of what the notes mean: another size needs other notes.
    private const int ChunkSize = 2_500;

    public async IAsyncEnumerable<SeedProgress> RunAsync(int scale, [EnumeratorCancellation] CancellationToken ct)
    {
        var hashing = Task.Run(PasswordHash, ct);
        await using var connection = await database.OpenConnectionAsync(ct);
        using var copy = new CopyWriter(connection, clock);
        for (var shop = 0; shop < scale; shop++)
        {
            var notes = await SeedNotes.ReadAsync(connection, shop, ct);
            foreach (var step in SeedStep.Of(new ShopFaker(shop), await hashing))
            {
                for (var first = 0; first < step.Ids.Length; first += ChunkSize)
                {
                    var rows = step.Ids.AsMemory(first, Math.Min(ChunkSize, step.Ids.Length - first));
                    var added = await WriteAsync(copy, notes, step, first, rows, ct);
                    signal.Send();
                    var done = shop * step.Ids.Length + first + rows.Length;
                    yield return new SeedProgress(step.Resource, done, scale * step.Ids.Length, added ? rows.Length : 0);
                }
            }
        }
    }

    private static async Task<bool> WriteAsync(
        CopyWriter copy, SeedNotes notes, SeedStep step, int first, Memory<int> ids, CancellationToken ct)
    {
        var chunk = first / ChunkSize;
        if (notes.TryGet(step.Resource, chunk, ids)) return false;
        await using var transaction = await copy.Connection.BeginTransactionAsync(ct);
        var isNew = await notes.TakeAsync(copy.Connection, step, chunk, ids, ct);
        if (isNew) await step.WriteAsync(copy, first, ids, ct);
        await transaction.CommitAsync(ct);
        return isNew;
    }

    // One hash for all: a hash costs as much as seeding a thousand users. Its password is thrown away, so that nobody
    // can log in as a seeded user.
    private static string PasswordHash() =>
        new PasswordHasher<User>().HashPassword(null!, Convert.ToBase64String(RandomNumberGenerator.GetBytes(32)));
}
