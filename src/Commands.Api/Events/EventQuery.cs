using System.Globalization;
using ApexShop.Events;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Events;

/// <summary>The parameters of a request for events. What does not fit is named, all of it in one answer.</summary>
internal sealed class EventQuery
{
    public const int MaxAggregates = 100;

    private readonly Dictionary<string, string[]> errors = [];
    private readonly IQueryCollection query;

    public EventQuery(IQueryCollection query, params string[] known)
    {
        this.query = query;
        foreach (var name in query.Keys.Except(known)) errors[name] = [$"There is no such parameter; {string.Join(", ", known)} are known."];
    }

    public EventFilter Filter() => new(Resource(), Types(), Aggregates());

    public long? Number(string name, long min, long max) =>
        query.TryGetValue(name, out var text) ? Number(name, text, min, max) : null;

    /// <summary>Where a follower goes on. The header wins: a browser that comes back repeats the address of its first request.</summary>
    public long? Place(IHeaderDictionary headers) =>
        headers.TryGetValue("Last-Event-ID", out var text) ? Number("Last-Event-ID", text, 0, long.MaxValue) : Number("after", 0, long.MaxValue);

    public bool Flag(string name)
    {
        if (!query.TryGetValue(name, out var text)) return false;
        if (text == "true") return true;
        if (text != "false") errors[name] = ["Either true or false."];
        return false;
    }

    /// <summary>Called when everything was asked for; null when all of it fits.</summary>
    public ValidationProblem? Problem() => errors.Count == 0 ? null : TypedResults.ValidationProblem(errors);

    private long? Number(string name, string? text, long min, long max)
    {
        if (long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var value) && value >= min && value <= max) return value;
        errors[name] = [string.Create(CultureInfo.InvariantCulture, $"A whole number from {min} to {max}.")];
        return null;
    }

    private string? Resource()
    {
        if (!query.TryGetValue("resource", out var text)) return null;
        if (Resources.Resource.Exists(text.ToString())) return text;
        errors["resource"] = [$"A resource is one of {string.Join(", ", Resources.Resource.Names)}."];
        return null;
    }

    private HashSet<string>? Types()
    {
        if (!query.TryGetValue("types", out var texts)) return null;
        var types = texts.SelectMany(text => text!.Split(',')).ToHashSet(StringComparer.Ordinal);
        // A slip of the pen would otherwise be a reader who waits for ever.
        if (types.Except(EventTypes.All.Select(type => type.Name)).FirstOrDefault() is { } unknown)
            errors["types"] = [$"There is no event type '{unknown}'."];
        return types;
    }

    private HashSet<Subject>? Aggregates()
    {
        if (!query.TryGetValue("aggregate", out var texts)) return null;
        var subjects = new HashSet<Subject>();
        foreach (var text in texts)
        {
            if (SubjectOf(text!) is { } subject) subjects.Add(subject);
            else errors["aggregate"] = ["A resource, a slash and an id, such as products/17."];
        }

        if (subjects.Count > MaxAggregates) errors["aggregate"] = [$"At most {MaxAggregates} aggregates."];
        return subjects;
    }

    private static Subject? SubjectOf(string text) =>
        text.Split('/') is [var resource, var number] && Resources.Resource.Exists(resource)
        && int.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out var id)
            ? new Subject(resource, id)
            : null;
}
