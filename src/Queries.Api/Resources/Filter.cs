namespace ApexShop.Queries.Api.Resources;

/// <summary>A parameter that narrows a list by a condition; a flag sets one of two.</summary>
internal sealed record Filter(string Name, ValueKind Kind, Condition Holds, Condition? Otherwise = null)
{
    /// <summary>The filter whose value may not be smaller than this one's.</summary>
    public string? NotAbove { get; init; }

    /// <summary>The order of a list that has this filter and names no sort.</summary>
    public string? Sort { get; init; }

    /// <summary>The resource whose id the value is: its documents' own lists have their own cache tag.</summary>
    public string? Parent { get; init; }

    /// <summary>Where the documents that this filter alone selects are counted.</summary>
    public Ruler? Ruler { get; init; }

    /// <summary>A flag takes no parameter: each value is a text of its own, whose rows the planner can estimate.</summary>
    public bool IsFlag => Kind == ValueKind.Flag;

    public Condition For(object value) => value is false ? Otherwise! : Holds;
}

/// <summary>How the rows of a condition are found.</summary>
internal enum Reach
{
    /// <summary>They stand together in an index, in the order of the sorts named with it.</summary>
    Together,

    /// <summary>The sorts' own index begins with them, or is left at the last of them.</summary>
    From,

    /// <summary>The sorts' own index ends with them.</summary>
    UpTo,

    /// <summary>Most rows are among them: whatever index is walked, few are passed over.</summary>
    Common,

    /// <summary>No list's order helps: what is read depends on the value.</summary>
    Search,
}

/// <summary>A fixed text of SQL, <c>{0}</c> where its parameter stands, and the sorts whose index finds its rows.</summary>
internal sealed record Condition(string Sql, Reach Reach, params IReadOnlyList<string> Sorts)
{
    /// <summary>The text where none of its sorts is the list's.</summary>
    public string? Elsewhere { get; init; }

    /// <summary>The column, or expression, that is equal to the parameter.</summary>
    public string? Equal { get; init; }

    public static Condition Common(string sql) => new(sql, Reach.Common);

    public static Condition Search(string sql) => new(sql, Reach.Search);

    public static Condition Together(string sql, params IReadOnlyList<string> sorts) => new(sql, Reach.Together, sorts);

    public static Condition Same(string column, params IReadOnlyList<string> sorts) =>
        new($"{column} = {{0}}", Reach.Together, sorts) { Equal = column };

    public static Condition From(string sql, params IReadOnlyList<string> sorts) => new(sql, Reach.From, sorts);

    public static Condition UpTo(string sql, params IReadOnlyList<string> sorts) => new(sql, Reach.UpTo, sorts);

    public string SqlIn(Sort sort) => Elsewhere is null || Sorts.Contains(sort.Name) ? Sql : Elsewhere;

    public bool IsFoundIn(Sort sort) => Reach == Reach.Common || Sorts.Contains(sort.Name);
}
