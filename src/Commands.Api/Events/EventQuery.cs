using System.Globalization;
using ApexShop.Commands.Api.Commands;
using ApexShop.Events;
using ApexShop.Requests;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Events;

/// <summary>Parses the parameters of a request for events; all errors are reported in one response.</summary>
internal sealed class EventQuery
{
    public const int MaxAggregates = 100;

    private readonly Dictionary<string, string[]> errors = [];
    private readonly IQueryCollection query;
    private readonly string? unknown;

    public EventQuery(IQueryCollection query, params string[] parameters)
    {
        this.query = query;
        unknown = query.Keys.FirstOrDefault(name => !parameters.Contains(name, StringComparer.OrdinalIgnoreCase));
    }

    /// <summary>The identity of the log that the position is of; one that never existed is valid.</summary>
    public string? LogId => query.TryGetValue("log", out var text) ? text.ToString() : null;

    public EventFilter Filter() => new(ReadResource(), ReadTypes(), ReadAggregates());

    public long? Number(string name, long min, long max) =>
        query.TryGetValue(name, out var text) ? Number(name, text, min, max) : null;

    /// <summary>
    /// Where to resume. The header takes precedence, because a browser that reconnects repeats the URL of its first
    /// request. Its value is a position, or the id of a record: the log's identity, a colon and a position.
    /// </summary>
    public ResumePosition ResumePosition(IHeaderDictionary headers)
    {
        const string header = "Last-Event-ID";
        if (!headers.TryGetValue(header, out var value)) return new(Number("after", 0, long.MaxValue), LogId, false);
        var text = value.ToString();
        return text.Split(':') is [var logId, var position]
            ? new(Number(header, position, 0, long.MaxValue), logId, true)
            : new(Number(header, text, 0, long.MaxValue), LogId, false);
    }

    /// <summary>
    /// Whether a response must not lack removed events: not that of an aggregate, which is what the log still has.
    /// </summary>
    public bool IsWhole(EventFilter filter) => !Flag("incomplete") && filter.Aggregates is null;

    public bool Flag(string name)
    {
        if (!query.TryGetValue(name, out var text)) return false;
        if (text == "true") return true;
        if (text != "false") errors[name] = ["Must be true or false."];
        return false;
    }

    /// <summary>To be called after all parameters were read; null when all are valid.</summary>
    public Problem? Refusal()
    {
        if (unknown is not null) return Problem.UnknownParameter(unknown);
        return errors.Count == 0 ? null : Problem.Invalid(errors);
    }

    private long? Number(string name, string? text, long min, long max)
    {
        // The positions in events are padded with zeros.
        var digits = text is { Length: CloudEvents.SequenceDigits } ? text.TrimStart('0').PadLeft(1, '0') : text;
        if (WholeNumber.TryParse(digits, out var value) && value >= min && value <= max) return value;
        errors[name] = [string.Create(CultureInfo.InvariantCulture, $"Must be a whole number from {min} to {max}.")];
        return null;
    }

    private string? ReadResource()
    {
        if (!query.TryGetValue("resource", out var text)) return null;
        if (Resource.Exists(text.ToString())) return text;
        errors["resource"] = [$"Must be one of {string.Join(", ", Resource.Names)}."];
        return null;
    }

    private HashSet<string>? ReadTypes()
    {
        if (!query.TryGetValue("types", out var texts)) return null;
        var types = texts.SelectMany(text => text!.Split(',')).ToHashSet(StringComparer.Ordinal);
        // A misspelt type would otherwise select nothing, and the client would wait for ever.
        if (types.Except(EventTypes.All.Select(type => type.Name)).FirstOrDefault() is { } unknown)
            errors["types"] = [$"There is no event type '{unknown}'."];
        return types;
    }

    private HashSet<Subject>? ReadAggregates()
    {
        if (!query.TryGetValue("aggregate", out var texts)) return null;
        var subjects = new HashSet<Subject>();
        foreach (var text in texts)
        {
            if (SubjectOf(text!) is { } subject) subjects.Add(subject);
            else errors["aggregate"] = ["Must be a resource, a slash and an id, such as products/17."];
        }

        if (subjects.Count > MaxAggregates) errors["aggregate"] = [$"At most {MaxAggregates} aggregates."];
        return subjects;
    }

    private static Subject? SubjectOf(string text) =>
        text.Split('/') is [var resource, var number] && Resource.Exists(resource)
        && WholeNumber.TryParse(number, out var id) && id <= int.MaxValue
            ? new Subject(resource, (int)id)
            : null;
}
