using System.Text.RegularExpressions;
using ApexShop.Queries.Api.Reading;
using ApexShop.ReadModels;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Queries.Api.Suggesting;

/// <summary>
/// Completes what somebody types into a search field. A suggestion of one word is a word of an active product's name;
/// for one of several words an active product was found that has all of them in its name or description.
/// </summary>
internal sealed partial class SearchSuggestions(CurrentWords words, ReadDatabase database)
{
    /// <summary>Most suggestions of a response.</summary>
    public const int Most = 8;

    /// <summary>A longer text gets no suggestions.</summary>
    public const int MostWords = 8;

    // Of this many products that have the words before the last one, the completions are counted.
    private const int LookedAt = 300;

    internal const string Sql = $"""
        WITH found AS MATERIALIZED (
            SELECT w.words FROM {ReadTables.ProductWords} w JOIN {ReadTables.Schema}.products p ON p.id = w.product_id
            WHERE w.words @@ (plainto_tsquery('english', $1) && to_tsquery('english', $2))
                AND p.is_active AND NOT p.is_deleted
            LIMIT $4)
        SELECT c.word FROM unnest($3) WITH ORDINALITY AS c (word, place)
        JOIN found ON found.words @@ plainto_tsquery('english', c.word)
        GROUP BY c.word, c.place ORDER BY count(*) DESC, c.place
        """;

    /// <summary>Texts to search for, the best first.</summary>
    public async Task<IReadOnlyList<string>> OfAsync(string typed, bool isFresh, CancellationToken ct)
    {
        string[] typedWords = [.. Word().Matches(typed.ToLowerInvariant()).Select(match => match.Value)];
        if (typedWords.Length is 0 or > MostWords) return [];
        var list = await words.GetAsync(isFresh, ct);
        var completions = list.Completions(typedWords[^1], Most);
        if (typedWords.Length == 1 || completions.Count == 0) return completions;

        var before = typedWords[..^1];
        var suggestions = await FoundAsync(before, completions, ct);
        if (suggestions.Count > 0) return suggestions;
        string[] corrected = [.. before.Select(word => list.Known(word) ?? word)];
        return corrected.SequenceEqual(before) ? [] : await FoundAsync(corrected, completions, ct);
    }

    private async Task<IReadOnlyList<string>> FoundAsync(
        string[] before, IReadOnlyList<string> completions, CancellationToken ct)
    {
        var start = string.Join(' ', before);
        var found = await database.Searches[Resource.Products.Name].RunAsync(
            source => FoundAsync(source, start, completions, ct), ct);
        return [.. found.Select(word => $"{start} {word}")];
    }

    private static async Task<List<string>> FoundAsync(
        NpgsqlDataSource source, string start, IReadOnlyList<string> completions, CancellationToken ct)
    {
        using var delayed = DelayedCancellation.Of(ct);
        await using var command = source.CreateCommand(Sql);
        foreach (var parameter in Parameters(start, completions)) command.Parameters.Add(parameter);
        await using var rows = await command.ExecuteReaderAsync(delayed.Token);
        var found = new List<string>();
        while (await rows.ReadAsync(delayed.Token)) found.Add(rows.GetString(0));
        return found;
    }

    internal static IEnumerable<NpgsqlParameter> Parameters(string start, IReadOnlyList<string> completions) =>
    [
        new NpgsqlParameter<string> { TypedValue = start },
        new NpgsqlParameter<string> { TypedValue = string.Join(" | ", completions.Select(Quoted)) },
        new NpgsqlParameter<string[]> { TypedValue = [.. completions] },
        new NpgsqlParameter<int> { TypedValue = LookedAt },
    ];

    // As a word of tsquery: it may contain a hyphen or an apostrophe.
    private static string Quoted(string word) => $"'{word.Replace(@"\", @"\\").Replace("'", "''")}'";

    [GeneratedRegex(@"[\p{L}\p{N}]+")]
    private static partial Regex Word();
}
