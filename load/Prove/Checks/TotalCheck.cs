using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class TotalCheck
{
    public static IEnumerable<string> Find(History history) =>
        from read in history.Reads
        where read.Totals.Count > 0
        let wrong = History.OperationOf(read).Verb == "facets" ? OfFacets(read.Totals) : OfPage(read)
        where wrong is not null
        select $"{read} {wrong}";

    private static string? OfPage(Attempt read)
    {
        var (documents, pages, size) = (read.Totals[0], read.Totals[1], read.Totals[2]);
        return pages == (documents + size - 1) / size && read.Seen.Count <= size
            ? null
            : $"has {read.Seen.Count} of {documents} documents, in {pages} pages of {size}";
    }

    private static string? OfFacets(IReadOnlyList<long> totals) => totals.All(sum => sum == totals[0])
        ? null
        : $"counts {totals[0]} products, and {string.Join(", ", totals.Skip(1))} by each facet";
}
