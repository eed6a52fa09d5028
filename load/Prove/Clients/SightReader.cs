using System.Text.Json;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>Reads the versions of aggregates from the response to a read.</summary>
internal static class SightReader
{
    // A stream has every document; those that were not asked for are kept up to this number.
    private const int Others = 10;

    public static Attempt Read(Attempt attempt, string text)
    {
        var operation = History.OperationOf(attempt);
        var (resource, form) = (operation.Resource, operation.Verb);
        if (form is "stream" or "export") return Lines(attempt, resource, text);
        var json = JsonElement.Parse(text);
        return form switch
        {
            "facets" => attempt with { Outcome = Outcome.Acknowledged, Totals = FacetReader.TotalsOf(json) },
            "suggest" => attempt with
            {
                Outcome = Outcome.Acknowledged,
                Texts = [.. Data(json).Select(one => one.GetProperty("text").GetString()!)],
            },
            "file" => Shows(attempt, [Sight(resource, json.GetProperty("user"))]),
            "changes" => Shows(attempt, Data(json).Select(one => Change(resource, one))) with
                { HasMore = json.GetProperty("hasMore").GetBoolean() },
            "numbered" => Shows(attempt, Data(json).Select(one => Sight(resource, one))) with
                { Totals = [Number(json, "totalCount"), Number(json, "totalPages"), Number(json, "pageSize")] },
            _ => Shows(
                attempt, json.TryGetProperty("data", out _)
                    ? Data(json).Select(one => Sight(resource, one))
                    : [Sight(resource, json)]),
        };
    }

    /// <summary>There is no such document. Without their product, nothing is known of its reviews.</summary>
    public static Attempt Absent(Attempt attempt) => attempt.Operation == "reviews.of-product"
        ? attempt with { Outcome = Outcome.Acknowledged, Asked = [] }
        : Shows(attempt, []);

    /// <summary>A document of a response.</summary>
    public static Sight Sight(string resource, JsonElement document) => new(
        document.GetProperty("id").GetInt32(), document.GetProperty("version").GetInt64(),
        StateReader.OfDocument(resource, document).Digest);

    private static Attempt Shows(Attempt attempt, IEnumerable<Sight> documents)
    {
        List<Sight> seen = [.. documents];
        var absent = attempt.Asked.Except(seen.Select(sight => sight.Id)).Select(id => new Sight(id, 0, 0));
        return attempt with { Outcome = Outcome.Acknowledged, Seen = [.. seen, .. absent] };
    }

    private static Sight Change(string resource, JsonElement change) =>
        change.GetProperty("change").ValueEquals("deleted")
            ? new(change.GetProperty("id").GetInt32(), 0, 0)
            : Sight(resource, change.GetProperty("document"));

    private static Attempt Lines(Attempt attempt, string resource, string text)
    {
        var (seen, others) = (new List<Sight>(), 0);
        foreach (var line in text.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            var document = JsonElement.Parse(line);
            // An export that fails has a last line with the error.
            if (document.TryGetProperty("error", out var error))
                return attempt with { Outcome = Outcome.Unknown, Code = error.GetProperty("code").GetString() };
            if (attempt.Asked.Contains(document.GetProperty("id").GetInt32()) || others++ < Others)
                seen.Add(Sight(resource, document));
        }

        return Shows(attempt, seen);
    }

    private static JsonElement.ArrayEnumerator Data(JsonElement json) => json.GetProperty("data").EnumerateArray();

    private static long Number(JsonElement json, string name) => json.GetProperty(name).GetInt64();
}
