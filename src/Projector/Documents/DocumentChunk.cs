using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>Some documents of a kind in the order of their ids, with derived values.</summary>
internal abstract class DocumentChunk(int[] ids)
{
    public IReadOnlyList<int> Ids => ids;

    /// <summary>Copies them into their table, which was created in the same transaction.</summary>
    public abstract Task CopyAsync(NpgsqlConnection connection, string prefix, CancellationToken ct);
}
