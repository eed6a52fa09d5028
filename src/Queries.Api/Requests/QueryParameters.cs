using System.Globalization;
using ApexShop.Queries.Api.Resources;
using ApexShop.Requests;

namespace ApexShop.Queries.Api.Requests;

/// <summary>
/// Reads a query string strictly. A parameter that the endpoint did not read is an error, since a misspelled filter
/// would otherwise return all documents.
/// </summary>
internal sealed class QueryParameters(IQueryCollection query)
{
    /// <summary>Most parameters of a query string; every endpoint has fewer.</summary>
    public const int Most = 32;

    private readonly HashSet<string> known = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<string, string[]> errors = new(StringComparer.Ordinal);

    /// <summary>
    /// A whole number of at least <paramref name="least"/>; one above <paramref name="most"/> counts as that.
    /// </summary>
    public int? Number(string name, int least, int? most = null)
    {
        if (Text(name) is not { } text) return null;
        if (!WholeNumber.TryParseAny(text, out var value) || value < least)
            Refuse(name, $"must be a whole number, {least} or more.");
        else if (most is null && value > int.MaxValue) Refuse(name, $"must be a whole number, {int.MaxValue} or less.");
        else return (int)Math.Min(value, most ?? int.MaxValue);
        return null;
    }

    /// <summary>The value of a filter, or an array of its values.</summary>
    public object? Value(Filter filter)
    {
        if (Text(filter.Name) is not { } text) return null;
        var value = filter.TakesSeveral ? filter.Kind.ParseSeveral(text) : filter.Kind.Parse(text);
        if (value is null) Refuse(filter.Name, filter.Rule);
        return value;
    }

    public string? Text(string name)
    {
        known.Add(name);
        if (!query.TryGetValue(name, out var values)) return null;
        if (values is [{ Length: > 0 } value]) return value;

        Refuse(name, "must be given once and not be empty.");
        return null;
    }

    public void Refuse(string name, string reason) => errors[name] = [reason];

    /// <summary>The problem with a value that proved to be wrong when the rest was valid.</summary>
    public Problem? ProblemWith(string name, string reason)
    {
        Refuse(name, reason);
        return Problem();
    }

    /// <summary>The errors of the query string, after all parameters were read; null if there are none.</summary>
    public Problem? Problem()
    {
        if (query.Count > Most) return TooMany();
        foreach (var name in query.Keys)
        {
            if (!known.Contains(name)) Refuse(name, "is not a parameter of this endpoint.");
        }

        if (errors.Count == 0) return null;
        var detail = string.Join(' ', errors.Select(error => $"{error.Key} {error.Value[0]}"));
        return new Problem(StatusCodes.Status400BadRequest, "query.invalid", detail) { Errors = errors };
    }

    // Not named one by one: the response would be longer than the request.
    private static Problem TooMany() => new(
        StatusCodes.Status400BadRequest,
        "query.invalid",
        string.Create(CultureInfo.InvariantCulture, $"There may be {Most} parameters at most."));
}
