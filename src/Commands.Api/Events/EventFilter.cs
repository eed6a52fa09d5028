using ApexShop.Events;

namespace ApexShop.Commands.Api.Events;

/// <summary>An aggregate as a CloudEvents subject names it, such as <c>products/17</c>.</summary>
internal readonly record struct Subject(string Resource, int Id);

/// <summary>Which events a reader wants: those that meet everything that is said, and what is null says nothing.</summary>
internal sealed record EventFilter(string? Resource, IReadOnlySet<string>? Types, IReadOnlySet<Subject>? Aggregates)
{
    /// <summary>The types that can come: of a resource and types only the types of that resource.</summary>
    public string[]? TypesLeft => Types is null
        ? null
        : [.. EventTypes.All.Where(type => Types.Contains(type.Name) && (Resource is null || type.Resource == Resource)).Select(type => type.Name)];

    /// <summary>The aggregates that can come, likewise.</summary>
    public Subject[]? AggregatesLeft => Aggregates is null
        ? null
        : [.. Aggregates.Where(subject => Resource is null || subject.Resource == Resource)];

    public bool Takes(LogEntry entry) =>
        (Resource is null || Resource == entry.Resource)
        && (Types is null || Types.Contains(entry.Type))
        && (Aggregates is null || Aggregates.Contains(new Subject(entry.Resource, entry.AggregateId)));
}
