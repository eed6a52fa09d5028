using System.Runtime.CompilerServices;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>
/// At most <paramref name="Rows"/> rows with ids above <paramref name="After"/>, in the order of their ids.
/// </summary>
internal readonly record struct RowChunk(int After, int Rows);

/// <summary>
/// Deletes any number of rows with statements that delete a bounded number each. In the caller's transaction the whole
/// deletion commits or rolls back; without one each chunk commits, and its deletions stay.
/// </summary>
internal sealed class ChunkedDeletion(ShopDbContext db, EventOutbox outbox, IOptions<LimitOptions> limits)
{
    /// <summary>
    /// Runs <paramref name="statement"/>, a DELETE without RETURNING, for one chunk after another. It must delete every
    /// row that it selects: a chunk with fewer rows than allowed is the last.
    /// </summary>
    public async Task<int> DeleteAsync(
        string type, string resource, Func<RowChunk, FormattableString> statement, CancellationToken ct)
    {
        var (total, chunk) = (0, new RowChunk(0, limits.Value.ChunkRows));
        while (true)
        {
            await using var transaction = await db.BeginAsync(ct);
            var result = await outbox.DeleteAsync(type, resource, statement(chunk), ct);
            await transaction.CommitAsync();
            total += result.Changed;
            if (result.Changed < chunk.Rows || result.LastId is not { } last) return total;
            chunk = chunk with { After = last };
        }
    }

    /// <summary>
    /// Deletes the found rows of a list, which the caller has locked. If none was found, the request may be a
    /// repetition, so the token is that of the last change of the listed rows. Otherwise it is that of this deletion.
    /// </summary>
    public async Task<RemovedRows> DeleteListAsync(
        string type, string resource, IReadOnlyList<int> requested, int[] found, CancellationToken ct)
    {
        if (found.Length == 0) await outbox.RecordLastChangeAsync(resource, [.. requested], ct);
        else await DeleteAsync(type, resource, found, ct);
        return RemovedRows.Of(requested, found);
    }

    /// <summary>Deletes the rows with these ids, which the caller has locked.</summary>
    public async Task DeleteAsync(string type, string resource, int[] ids, CancellationToken ct)
    {
        var delete = $"DELETE FROM {ShopDbContext.Schema}.{resource} WHERE id = ANY ({{0}})";
        foreach (var some in ids.Chunk(limits.Value.ChunkRows))
        {
            await outbox.DeleteAsync(type, resource, FormattableStringFactory.Create(delete, [some]), ct);
        }
    }
}
