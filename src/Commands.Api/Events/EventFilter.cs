using ApexShop.Events;

namespace ApexShop.Commands.Api.Events;

/// <summary>An aggregate as the subject of a CloudEvent names it, such as <c>products/17</c>.</summary>
internal readonly record struct Subject(string Resource, int Id);

/// <summary>Selects events: all conditions that are not null must hold.</summary>
internal sealed record EventFilter(string? Resource, IReadOnlySet<string>? Types, IReadOnlySet<Subject>? Aggregates)
{
    public static EventFilter None { get; } = new(null, null, null);

    /// <summary>The selected types that the selected resource has.</summary>
    public string[]? PossibleTypes => Types is null ? null : SelectedTypes;

    /// <summary>The types of the events that could be included.</summary>
    public string[] SelectedTypes =>
    [
        .. EventTypes.All.Where(type => IsSelected(type.Resource)).Select(type => type.Name)
            .Where(name => Types is null || Types.Contains(name)),
    ];

    /// <summary>The selected aggregates of the selected resource.</summary>
    public Subject[]? PossibleAggregates => Aggregates is null
        ? null
        : [.. Aggregates.Where(subject => IsSelected(subject.Resource))];

    public bool Includes(LogEntry entry) =>
        IsSelected(entry.Resource)
        && (Types is null || Types.Contains(entry.Type))
        && (Aggregates is null || Aggregates.Contains(new Subject(entry.Resource, entry.AggregateId)));

    /// <summary>Whether an event of this resource could be included.</summary>
    public bool MaySelect(string resource) =>
        IsSelected(resource)
        && (Types is null || EventTypes.All.Any(type => type.Resource == resource && Types.Contains(type.Name)))
        && (Aggregates is null || Aggregates.Any(subject => subject.Resource == resource));

    private bool IsSelected(string resource) => Resource is null || Resource == resource;
}
