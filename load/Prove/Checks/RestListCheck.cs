using ApexShop.Prove.Clients;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

/// <summary>Compares the lists at rest with the documents, filtered and sorted in memory.</summary>
internal static class RestListCheck
{
    public static IEnumerable<string> Find(History history)
    {
        var documents = history.Rest.Documents.ToLookup(one => one.Resource);
        return
        [
            .. history.Rest.Documents.SelectMany(one => OfDocument(history, one)),
            .. history.Rest.Lists.SelectMany(list => OfList(list, documents[list.Resource])),
            .. history.Rest.FacetLists.SelectMany(list => OfFacets(list, documents[Kinds.Products])),
        ];
    }

    // The values that the digest does not have.
    private static IEnumerable<string> OfDocument(History history, SourceDocument document)
    {
        if (history.LastOf(document.Resource, document.Id) is not { Kind: not EventKind.Deleted } last) yield break;
        var (shown, written) = (document.State, last.State);
        if ((shown.Created, shown.Modified, shown.Delivered, shown.LoggedIn)
            != (written.Created, written.Modified, written.Delivered, written.LoggedIn))
            yield return $"{document.Resource}/{document.Id} has other dates than {last}";
    }

    private static IEnumerable<string> OfList(RestList list, IEnumerable<SourceDocument> documents)
    {
        var query = new ListQuery(list.Path);
        SourceDocument[] expected = [.. Kept(query, documents).Order(query)];
        return
            from page in list.Pages
            from wrong in OfPage(page, expected, query.PageSize)
            select $"{list.Source}: page {page.Number} of {list.Path} {wrong}";
    }

    private static IEnumerable<SourceDocument> Kept(ListQuery query, IEnumerable<SourceDocument> documents) =>
        documents.Where(one => query.Keeps(one.Id, one.State));

    private static IEnumerable<string> OfPage(ListedPage page, SourceDocument[] expected, int size)
    {
        var skipped = (page.Number - 1L) * size;
        var own = expected.Where((_, at) => at >= skipped && at < skipped + size).ToList();
        if (page.Documents.Count != own.Count)
            yield return $"has {page.Documents.Count} documents instead of {own.Count}";
        foreach (var (at, (shown, document)) in page.Documents.Zip(own).Index())
        {
            if (shown.Id != document.Id)
            {
                yield return $"has {shown.Id} instead of {document.Id} at place {at + 1}";
                break;
            }

            if (shown.Digest != document.Digest) yield return $"has another text of {shown.Id} than its document";
        }

        if (page.HasPrevious is { } hasPrevious && hasPrevious != page.Number > 1)
            yield return $"says {hasPrevious} about a page before it";
        if (page.HasNext is { } hasNext && hasNext != expected.Length > skipped + size)
            yield return $"says {hasNext} about a page after it";
        if (page.Total is { } total && total != expected.Length)
            yield return $"counts {total} documents instead of {expected.Length}";
        if (page.TotalPages is { } pages && pages != (expected.Length + size - 1L) / size)
            yield return $"counts {pages} pages of {size} for {expected.Length} documents";
    }

    private static IEnumerable<string> OfFacets(FacetList list, IEnumerable<SourceDocument> documents)
    {
        SourceDocument[] kept = [.. Kept(new ListQuery(list.Path), documents)];
        if (list.Total != kept.Length)
            yield return $"{list.Source}: {list.Path} counts {list.Total} products instead of {kept.Length}";
        foreach (var one in list.Counts)
        {
            var count = kept.Count(document => ValueOf(one.Facet, document) is var value
                && value >= one.From && !(value >= one.Below));
            if (count != one.Count)
                yield return $"{list.Source}: {list.Path} has {one} instead of {count}";
        }

        foreach (var facet in FacetReader.Facets)
        {
            var sum = list.Counts.Where(one => one.Facet == facet).Sum(one => one.Count);
            if (sum != kept.Length)
                yield return $"{list.Source}: {list.Path} counts {sum} products by {facet} instead of {kept.Length}";
        }
    }

    private static decimal ValueOf(string facet, SourceDocument document) => facet switch
    {
        "categories" => document.State.CategoryId,
        "prices" => document.State.Amount,
        "ratings" => document.AverageRating,
        _ => document.State.Stock > 0 ? 1 : 0,
    };
}
