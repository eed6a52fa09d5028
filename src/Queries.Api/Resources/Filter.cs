using System.Globalization;

namespace ApexShop.Queries.Api.Resources;

/// <summary>A parameter that narrows a list by a condition; a flag chooses one of two conditions.</summary>
internal sealed record Filter(string Name, ValueKind Kind, Condition Condition, Condition? ConditionIfFalse = null)
{
    /// <summary>The filter whose value may not be smaller than this one's.</summary>
    public string? NotAbove { get; init; }

    /// <summary>The default sort of a list with this filter.</summary>
    public string? Sort { get; init; }

    /// <summary>The resource whose id the value is; the list of its children has a cache tag of its own.</summary>
    public string? Parent { get; init; }

    /// <summary>The projector's counts of the documents that this filter alone selects.</summary>
    public SegmentCounts? SegmentCounts { get; init; }

    /// <summary>A flag has no parameter: each value has its own text, whose rows the planner can estimate.</summary>
    public bool IsFlag => Kind == ValueKind.Flag;

    /// <summary>Whether a request may give several values, of which a document needs to have one.</summary>
    public bool TakesSeveral => Condition.EqualColumn is not null;

    /// <summary>What its value must be, in the words of an error.</summary>
    public string Rule => TakesSeveral
        ? string.Create(
            CultureInfo.InvariantCulture,
            $"{Kind.Rule} Up to {ValueKind.MaxSeveral} different values may be given, with commas between them.")
        : Kind.Rule;

    public Condition For(object value) => value switch
    {
        false => ConditionIfFalse!,
        Array => Condition.Search($"{Condition.EqualColumn} = ANY({{0}})"),
        _ => Condition,
    };
}

/// <summary>How the rows of a condition are found.</summary>
internal enum IndexUse
{
    /// <summary>The index of the condition's sorts contains them contiguously.</summary>
    Contiguous,

    /// <summary>A range of the sorts' index with a lower bound.</summary>
    LowerBound,

    /// <summary>A range of the sorts' index with an upper bound.</summary>
    UpperBound,

    /// <summary>Most rows fulfil it: a scan of any index skips few rows.</summary>
    Common,

    /// <summary>No sort's index helps: the best plan depends on the value.</summary>
    Search,
}

/// <summary>A fixed SQL text, <c>{0}</c> for its parameter, and the sorts whose index finds its rows.</summary>
internal sealed record Condition(string Sql, IndexUse IndexUse, params IReadOnlyList<string> Sorts)
{
    public string? SqlForOtherSorts { get; init; }

    /// <summary>The column, or expression, that is equal to the parameter.</summary>
    public string? EqualColumn { get; init; }

    public static Condition Common(string sql) => new(sql, IndexUse.Common);

    public static Condition Search(string sql) => new(sql, IndexUse.Search);

    public static Condition Contiguous(string sql, params IReadOnlyList<string> sorts) =>
        new(sql, IndexUse.Contiguous, sorts);

    public static Condition EqualTo(string column, params IReadOnlyList<string> sorts) =>
        new($"{column} = {{0}}", IndexUse.Contiguous, sorts) { EqualColumn = column };

    public static Condition From(string sql, params IReadOnlyList<string> sorts) =>
        new(sql, IndexUse.LowerBound, sorts);

    public static Condition UpTo(string sql, params IReadOnlyList<string> sorts) =>
        new(sql, IndexUse.UpperBound, sorts);

    public string SqlIn(Sort sort) => SqlForOtherSorts is null || Sorts.Contains(sort.Name) ? Sql : SqlForOtherSorts;

    public bool IsFoundIn(Sort sort) => IndexUse == IndexUse.Common || Sorts.Contains(sort.Name);
}
