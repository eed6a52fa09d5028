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
        var resource = History.OperationOf(attempt).Resource;
        var form = attempt.Operation[(attempt.Operation.IndexOf('.', StringComparison.Ordinal) + 1)..];
        List<Sight> seen = form switch
        {
            "document" => [Sight(resource, JsonElement.Parse(text))],
            "stream" => Stream(resource, text, attempt.Asked),
            _ => [.. JsonElement.Parse(text).GetProperty("data").EnumerateArray().Select(one => Sight(resource, one))],
        };
        var absent = attempt.Asked.Except(seen.Select(sight => sight.Id)).Select(id => new Sight(id, 0, 0));
        return attempt with { Outcome = Outcome.Acknowledged, Seen = [.. seen, .. absent] };
    }

    /// <summary>A document of a response.</summary>
    public static Sight Sight(string resource, JsonElement document) => new(
        document.GetProperty("id").GetInt32(), document.GetProperty("version").GetInt64(),
        StateReader.OfDocument(resource, document).Digest);

    private static List<Sight> Stream(string resource, string text, IReadOnlyList<int> asked)
    {
        var (seen, others) = (new List<Sight>(), 0);
        foreach (var line in text.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            var document = JsonElement.Parse(line);
            if (asked.Contains(document.GetProperty("id").GetInt32()) || others++ < Others)
                seen.Add(Sight(resource, document));
        }

        return seen;
    }
}
