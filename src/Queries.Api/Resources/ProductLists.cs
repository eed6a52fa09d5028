using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Queries.Api.Resources;

/// <summary>Filters and sorts of products; each sort has an index in the read schema.</summary>
internal static class ProductLists
{
    // In this order a change that is made while a client reads the pages comes after its cursor; one that is committed
    // late can have an earlier time, and is missed.
    private const string OldestChangeFirst = "modified";

    // A dash directly before a word or a quotation means "not". PostgreSQL reads all other dashes as "not" too: "a - b"
    // would exclude b, and 33 dashes are an error. So the others are removed.
    private const string OtherDashes = """'-(?![^[:space:][:punct:]]|")|(?<=-)-', ' ', 'g'""";

    // The text of a search, with its words separated as those of products. Words with a comma between them would have
    // to be next to each other in the product; of "black/white" each one must occur. Only "-black/white" keeps the
    // comma: it excludes what has both next to each other, and "-black white" would search for what is white.
    private static readonly string typed =
        $"""regexp_replace({SearchedText.Separated("{0}")}, '(?<!(^|\W)-[^\s"]*),(?!-)', ' ', 'g')""";

    // The beginning of a word: a last word with a star, with or without a dash or an apostrophe before the star.
    private static readonly string beginning = $"""substring({typed} from '(\w+)[-''’]?\*$') || ':*'""";

    // What is before that beginning. Letters after a dash or an apostrophe are a word too: "shi" of "t-shi". The words
    // before them are separated: PostgreSQL would read "all-in-" as one word, and no product has it.
    private static readonly string beforeBeginning = $"""
        regexp_replace(regexp_replace({typed}, '[-''’](?=[^\s"*]+\*$)(?<=\w.)', ' ', 'g'), '\w+[-''’]?\*$', '')
        """;

    // The words of a search. The beginning of a word may also be one of the words without a meaning: "an" of "antique".
    // The query is parsed with another word in its place, so that an "or" or a quotation mark before it counts.
    private static readonly string searchTerms = $"""
        CASE WHEN {typed} ~ '(^|[\s"])(\w+[-''’])*\w+[-''’]?\*$'
            THEN ts_rewrite(
                websearch_to_tsquery('english', regexp_replace({beforeBeginning} || ' qzqzq', {OtherDashes})),
                'qzqzq'::tsquery,
                to_tsquery('english', {beginning}) || to_tsquery('simple', {beginning}))
            ELSE websearch_to_tsquery('english', regexp_replace({typed}, {OtherDashes})) END
        """;

    public static IReadOnlyList<Sort> Sorts { get; } =
    [
        Sort.Id,
        Sort.Ascending("price", "price", ValueKind.Amount),
        Sort.Descending("-price", "price", ValueKind.Amount),
        Sort.ByName,
        Sort.Descending("newest", "created_date", ValueKind.Time),
        Sort.Descending("rating", "average", ValueKind.Amount) with
        {
            SideTable = (ReadTables.ProductRatings, "product_id"),
        },
        Sort.Descending("relevance", $"ts_rank(words, {searchTerms})", ValueKind.Rank) with
        {
            SideTable = (ReadTables.ProductWords, "product_id"),
            RequiredFilter = "q",
        },
        Sort.Ascending(OldestChangeFirst, "modified_date", ValueKind.Time) with
        {
            SideTable = (ReadTables.ProductChanges, "product_id"),
            IsPublic = false,
        },
    ];

    public static IReadOnlyList<Filter> Filters { get; } =
    [
        new("categoryId", ValueKind.Id, Condition.EqualTo("category_id", "id"))
        {
            Parent = Resource.Categories.Name,
            SegmentCounts = new(ReadTables.CategorySegments, "category_id", ValueKind.Id, "product_count"),
        },
        new("minPrice", ValueKind.Amount, Condition.From("price >= {0}", "price", "-price")) { NotAbove = "maxPrice" },
        new("maxPrice", ValueKind.Amount, Condition.UpTo("price <= {0}", "price", "-price")),
        new("inStock", ValueKind.Flag, Condition.Common("stock > 0"), Condition.Search("stock <= 0")),
        new("isActive", ValueKind.Flag, Condition.Common("is_active"), Condition.Contiguous("NOT is_active", "id")),
        new(
            "isFeatured",
            ValueKind.Flag,
            Condition.Contiguous("is_featured", "id"),
            Condition.Common("NOT is_featured")),
        new("modifiedAfter", ValueKind.Time, Condition.From("modified_date > {0}", OldestChangeFirst) with
        {
            SqlForOtherSorts = IdIn(ReadTables.ProductChanges, "modified_date > {0}"),
        })
        {
            Sort = OldestChangeFirst,
        },
        new("q", ValueKind.SearchText, Condition.Search(IdIn(ReadTables.ProductWords, $"words @@ ({searchTerms})"))),
    ];

    public static IReadOnlyList<Facet> Facets { get; } =
    [
        new("categories", "category_id", "category_id", (json, id) => json.WriteNumber("id", id)),
        new("prices", "price_range", PriceRanges.Sql, PriceRanges.Write),
        new("ratings", "stars", "floor(rating)::integer", (json, stars) => json.WriteNumber("stars", stars)),
        new("stock", "in_stock", "(stock > 0)::integer", (json, isIn) => json.WriteBoolean("inStock", isIn == 1)),
    ];

    private static string IdIn(string table, string condition) =>
        $"id IN (SELECT product_id FROM {table} WHERE {condition})";
}
