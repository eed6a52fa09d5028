using System.Globalization;
using System.Text;
using ApexShop.Caching;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Reading;

/// <summary>A filter and its value in a request; the value is an array if several were given.</summary>
internal readonly record struct FilterValue(Filter Filter, object Value)
{
    public Condition Condition => Filter.For(Value);
}

/// <summary>The filters and the sort of a list, without the page.</summary>
internal sealed class ListQuery
{
    private ListQuery(ReadModel resource, IReadOnlyList<FilterValue> filters, Sort sort)
    {
        (Resource, Filters, Sort) = (resource, filters, sort);
        Shape = ShapeOf(resource, filters, sort);
        // After an equality, a bound of another column does not shorten the scan of a plan that is made for all values.
        var ranges = filters.Where(one => one.Condition.IndexUse != IndexUse.Common).ToList();
        IsIndexScan = filters.All(one => one.Condition.IsFoundIn(sort))
            && (ranges.Count <= 1 || ranges.All(one => one.Condition.IndexUse != IndexUse.Contiguous));
        IsWalk = IsIndexScan && filters.Any(one => one.Condition.IndexUse == IndexUse.Common);
    }

    public ReadModel Resource { get; }

    /// <summary>In the order of the resource's filters.</summary>
    public IReadOnlyList<FilterValue> Filters { get; }

    public Sort Sort { get; }

    /// <summary>Equal for lists that differ in values only; they share their SQL texts.</summary>
    public int Shape { get; }

    /// <summary>
    /// Whether one index contains the list's rows contiguously and in the list's order. Any other list is a search, and
    /// the planner needs its values: the best plan for one value may read the whole table for another.
    /// </summary>
    public bool IsIndexScan { get; }

    /// <summary>
    /// Whether it is an index scan that skips the rows which a filter excludes: usually few, but nearly all of them
    /// when nearly nothing is in stock, for example; then the list is read as a search.
    /// </summary>
    public bool IsWalk { get; }

    /// <summary>Whether a page costs PostgreSQL about as little as its round trip does.</summary>
    public bool IsShortScan => IsIndexScan && !IsWalk;

    /// <summary>The filter whose column the scanned index begins with, if any.</summary>
    public Filter? LeadingFilter =>
        IsIndexScan ? Filters.FirstOrDefault(one => one.Condition.EqualColumn is not null).Filter : null;

    /// <summary>Whether it is the whole collection, in the order of ids.</summary>
    public bool IsEverything => Filters.Count == 0 && Sort.Column is null;

    /// <summary>Reads the filters and the sort; their errors are collected in the parameters.</summary>
    public static ListQuery From(ReadModel resource, QueryParameters query)
    {
        var filters = FiltersFrom(resource, query);
        return new ListQuery(resource, filters, SortFrom(resource, filters, query));
    }

    /// <summary>Reads the filters alone, for what depends on no order.</summary>
    public static ListQuery Unsorted(ReadModel resource, QueryParameters query) =>
        new(resource, FiltersFrom(resource, query), Sort.Id);

    private static List<FilterValue> FiltersFrom(ReadModel resource, QueryParameters query)
    {
        var filters = new List<FilterValue>();
        foreach (var filter in resource.Filters)
        {
            if (query.Value(filter) is { } value) filters.Add(new FilterValue(filter, value));
        }

        foreach (var lower in filters)
        {
            var upper = filters.Find(other => other.Filter.Name == lower.Filter.NotAbove);
            if (upper.Value is not IComparable most || most.CompareTo(lower.Value) >= 0) continue;
            query.Refuse(lower.Filter.Name, $"must not be above {upper.Filter.Name}.");
        }

        return filters;
    }

    /// <summary>A text that is equal for equal lists only; it signs cursors and is the key of counts.</summary>
    public string Identity()
    {
        var identity = new StringBuilder(Resource.Name).Append('?').Append(Sort.Name);
        foreach (var (filter, value) in Filters)
        {
            var text = filter.Kind.Format(value);
            identity.Append(CultureInfo.InvariantCulture, $"&{filter.Name}={text.Length}:{text}");
        }

        return identity.ToString();
    }

    /// <summary>
    /// At least one of these cache tags is raised when the list changes; a parent's list has its own tag.
    /// </summary>
    public string[] Tags()
    {
        var parent = Filters.FirstOrDefault(one => one.Filter.Parent is not null);
        if (parent.Filter?.Parent is not { } name) return [CacheTags.Collection(Resource.Name)];
        var ids = parent.Value as int[] ?? [(int)parent.Value];
        return [.. ids.Select(id => CacheTags.Of(name, id, Resource.Name))];
    }

    /// <summary>Where the Projector counts the documents of this list, and the key; null if nowhere.</summary>
    public (SegmentCounts Counts, object Key)? SegmentCounts() => Filters switch
    {
        [] => (ReadModel.SegmentCounts, Resource.Name),
        [{ Filter.SegmentCounts: { } counts, Value: not Array } only] => (counts, only.Value),
        _ => null,
    };

    /// <summary>The counts that find the segment of a numbered page; null if earlier rows are skipped singly.</summary>
    public (SegmentCounts Counts, object Key)? CountsBeforePage() => Sort.Column is null ? SegmentCounts() : null;

    private static Sort SortFrom(ReadModel resource, List<FilterValue> filters, QueryParameters query)
    {
        var usual = filters.Select(one => one.Filter.Sort).FirstOrDefault(name => name is not null);
        if (query.Text("sort") is not { } wanted) return usual is null ? resource.Sorts[0] : resource.SortNamed(usual);
        var sorts = resource.Sorts.Where(sort => sort.IsPublic).ToList();
        if (sorts.Find(sort => sort.Name == wanted) is not { } known)
            query.Refuse("sort", $"must be one of {string.Join(", ", sorts.Select(sort => sort.Name))}.");
        else if (known.RequiredFilter is { } needed && filters.All(one => one.Filter.Name != needed))
            query.Refuse("sort", $"can be {wanted} only with {needed}.");
        else return known;
        return resource.Sorts[0];
    }

    // Two bits for each filter: 0 without a value, 1 with one, 2 with several, 3 with the value false.
    private static int ShapeOf(ReadModel resource, IReadOnlyList<FilterValue> filters, Sort sort)
    {
        var shape = 0;
        foreach (var filter in resource.Filters)
        {
            var value = filters.FirstOrDefault(one => one.Filter == filter).Value;
            shape = (shape << 2) | value switch { null => 0, false => 3, Array => 2, _ => 1 };
        }

        return (shape * resource.Sorts.Count) + resource.Sorts.TakeWhile(other => other != sort).Count();
    }
}
