using ApexShop.Projector.ReadModels;
using ApexShop.ReadModels;

namespace ApexShop.Projector.Products;

/// <summary>The words that products are searched by.</summary>
internal static class ProductWords
{
    private const string Forget = $"""
        DELETE FROM {ReadTables.ProductWords} w USING read.products p WHERE w.id = ANY($1) AND p.id = w.id AND p.is_deleted
        """;

    // Words of one stem are one word, and those that stand in every text are none.
    private const string Put = $"""
        INSERT INTO {ReadTables.ProductWords} AS w (id, words)
        SELECT id, to_tsvector('english', name || ' ' || coalesce(data ->> 'description', ''))
        FROM read.products WHERE id = ANY($1) AND NOT is_deleted
        ON CONFLICT (id) DO UPDATE SET words = excluded.words WHERE w.words <> excluded.words
        """;

    public static bool Differ(Transition<ProductView> change) =>
        change.Before?.Name != change.After?.Name || change.Before?.Description != change.After?.Description;

    /// <summary>Takes the words of these products from their rows again.</summary>
    public static void Index(Round round, IEnumerable<int> productIds)
    {
        int[] ids = [.. productIds];
        if (ids.Length == 0) return;

        round.Add(Forget, Round.Parameter(ids));
        round.Add(Put, Round.Parameter(ids));
    }
}
