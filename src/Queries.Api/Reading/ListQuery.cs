using System.Globalization;
using System.Text;
using ApexShop.Caching;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Reading;

/// <summary>A filter and the value that the caller gave.</summary>
internal readonly record struct Given(Filter Filter, object Value)
{
    public Condition Condition => Filter.For(Value);
}

/// <summary>Which documents a list holds and in what order; how much of it is sent is not part of it.</summary>
internal sealed class ListQuery
{
    private ListQuery(Resource resource, IReadOnlyList<Given> given, Sort sort)
    {
        (Resource, Given, Sort) = (resource, given, sort);
        Shape = ShapeOf(resource, given, sort);
        IsWalk = given.All(one => one.Condition.IsFoundIn(sort))
            && given.Count(one => one.Condition.Reach == Reach.Together) <= 1;
    }

    public Resource Resource { get; }

    /// <summary>In the order of the resource's filters.</summary>
    public IReadOnlyList<Given> Given { get; }

    public Sort Sort { get; }

    /// <summary>The same number for lists that differ in values only: they share their SQL texts.</summary>
    public int Shape { get; }

    /// <summary>
    /// Whether one index holds the list's rows side by side in the list's order. Of any other list the planner must
    /// know the values: what is best for one of them reads the whole table for the next.
    /// </summary>
    public bool IsWalk { get; }

    /// <summary>What the walked index begins with, where that is one value of a filter.</summary>
    public Filter? Lead => IsWalk ? Given.FirstOrDefault(one => one.Condition.Equal is not null).Filter : null;

    /// <summary>Whether it is the whole collection, in the order of ids.</summary>
    public bool IsEverything => Given.Count == 0 && Sort.Column is null;

    /// <summary>The whole list, in the order of ids.</summary>
    public static ListQuery Everything(Resource resource) => new(resource, [], resource.Sorts[0]);

    /// <summary>Reads the filters and the sort; what is wrong with them is for the parameters to say.</summary>
    public static ListQuery From(Resource resource, QueryParameters query)
    {
        var given = new List<Given>();
        foreach (var filter in resource.Filters)
        {
            if (query.Value(filter.Name, filter.Kind) is { } value) given.Add(new Given(filter, value));
        }

        foreach (var lower in given)
        {
            var upper = given.Find(other => other.Filter.Name == lower.Filter.NotAbove);
            if (upper.Value is not IComparable most || most.CompareTo(lower.Value) >= 0) continue;
            query.Refuse(lower.Filter.Name, $"must not be above {upper.Filter.Name}.");
        }

        return new ListQuery(resource, given, SortFrom(resource, given, query));
    }

    /// <summary>Says which list it is, each in one way only: for whatever must not be used with another one.</summary>
    public string Identity()
    {
        var text = new StringBuilder(Resource.Name).Append('?').Append(Sort.Name);
        foreach (var (filter, value) in Given)
        {
            var spelled = filter.Kind.Format(value);
            text.Append(CultureInfo.InvariantCulture, $"&{filter.Name}={spelled.Length}:{spelled}");
        }

        return text.ToString();
    }

    /// <summary>The cache tags of which one is raised whenever the list changes; a parent's list has its own.</summary>
    public string[] Tags()
    {
        var parent = Given.FirstOrDefault(one => one.Filter.Parent is not null);
        return parent.Filter?.Parent is { } name
            ? [CacheTags.Of(name, (int)parent.Value, Resource.Name)]
            : [CacheTags.Collection(Resource.Name)];
    }

    /// <summary>Where the documents of this list are counted already, and under which key; null if nowhere.</summary>
    public (Ruler Ruler, object Key)? Ruler() => Given switch
    {
        [] => (Resource.Ruler, Resource.Name),
        [{ Filter.Ruler: { } ruler } only] => (ruler, only.Value),
        _ => null,
    };

    private static Sort SortFrom(Resource resource, List<Given> given, QueryParameters query)
    {
        var usual = given.Select(one => one.Filter.Sort).FirstOrDefault(name => name is not null);
        if (query.Text("sort") is not { } wanted) return usual is null ? resource.Sorts[0] : resource.Sort(usual);

        var sorts = resource.Sorts.Where(sort => sort.IsNamed).ToList();
        if (sorts.Find(sort => sort.Name == wanted) is { } known) return known;
        query.Refuse("sort", $"must be one of {string.Join(", ", sorts.Select(sort => sort.Name))}.");
        return resource.Sorts[0];
    }

    // Two bits a filter: whether it is there, and whether it is a flag that is off.
    private static int ShapeOf(Resource resource, IReadOnlyList<Given> given, Sort sort)
    {
        var shape = 0;
        foreach (var filter in resource.Filters)
        {
            var value = given.FirstOrDefault(one => one.Filter == filter).Value;
            shape = (shape << 2) | (value is null ? 0 : value is false ? 3 : 1);
        }

        return (shape << 3) | resource.Sorts.TakeWhile(other => other != sort).Count();
    }
}
