using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>Some documents of a kind in the order of their ids, with derived values.</summary>
internal abstract class DocumentChunk(int[] ids)
{
    public IReadOnlyList<int> Ids => ids;

    /// <summary>
    /// Copies them into their table; <paramref name="isEmptied"/>: it was emptied in the same transaction.
    /// </summary>
    public abstract Task CopyAsync(
        NpgsqlConnection connection, string prefix, bool isEmptied, CancellationToken ct);
}
