using System.Text.RegularExpressions;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Resources;
using ApexShop.ReadModels;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Queries.Api.Suggesting;

/// <summary>
/// Completes what a client types into a search field. A suggestion of one word is a word of an active product's name;
/// for one of several words an active product was found that has the last one in its name and the others anywhere.
/// </summary>
internal sealed partial class SuggestionReader(NameWordCache words, ReadDatabase database, PagePlaces places)
{
    /// <summary>Most suggestions of a response.</summary>
    public const int Most = 8;

    /// <summary>A longer text gets no suggestions.</summary>
    public const int MostWords = 8;

    // At most so many completions of the last of several words are compared.
    private const int Compared = 50;

    // A completion with at most so many products is rare; the products of at most so many rare ones are read too.
    private const int Rare = 100;
    private const int RareCompared = 10;

    // At most so many products with the words before the last one are read, and as many that also have a rare
    // completion.
    private const int LookedAt = 500;

    // In the transaction of the batch. Several words may never be together in a product: reading the table would then
    // not find them soon. One frequent word is found soon, by the same products each time.
    private const string SeveralSql = "SELECT set_config('enable_seqscan', 'off', true)";
    private const string OneSql = "SELECT set_config('synchronize_seqscans', 'off', true)";

    // Inactive products have no words of a name. A condition with IS TRUE is not one for the index.
    private const string Sql = $"""
        WITH found AS MATERIALIZED (
            (SELECT product_id FROM {ReadTables.ProductWords} WHERE words @@ plainto_tsquery('english', $1) LIMIT $4)
            UNION
            (SELECT product_id FROM {ReadTables.ProductWords}
            WHERE words @@ to_tsquery('english', $2) AND (words @@ plainto_tsquery('english', $1)) IS TRUE LIMIT $4))
        SELECT word FROM found JOIN {ReadTables.ProductNameWords} USING (product_id) CROSS JOIN unnest(words) AS word
        WHERE word = ANY ($3) GROUP BY word ORDER BY count(*) DESC, word LIMIT $5
        """;

    /// <summary>Texts to search for, the best first.</summary>
    public async Task<IReadOnlyList<string>> OfAsync(HttpContext http, string typed, bool isFresh)
    {
        var text = typed.TrimEnd().ToLowerInvariant();
        var typedWords = WordsOf(text);
        if (typedWords.Length is 0 or > MostWords) return [];
        var list = await words.GetAsync(isFresh, http.RequestAborted);
        // "t-shi" is the beginning of one word when a name has "t-shirt".
        var last = text.Split()[^1];
        if (list.HasBeginning(last)) typedWords = [.. WordsOf(text[..^last.Length]), last];
        if (typedWords is [var only]) return [.. list.Completions(only, Most).Select(one => one.Word)];

        var completions = list.Completions(typedWords[^1], Compared);
        if (completions.Count == 0) return [];
        return await places.SearchAsync(
            http, ReadModel.Of(Resource.Products),
            () => CombinedAsync(list, typedWords[..^1], completions, http.RequestAborted));
    }

    // With the words before the last one as they were typed, or else with typing errors corrected.
    private async Task<IReadOnlyList<string>> CombinedAsync(
        WordList list, string[] before, IReadOnlyList<WordCount> completions, CancellationToken ct)
    {
        var suggestions = await FoundAsync(before, completions, ct);
        if (suggestions.Count > 0) return suggestions;
        string[] corrected = [.. before.Select(word => list.KnownOrNearest(word) ?? word)];
        return corrected.SequenceEqual(before) ? [] : await FoundAsync(corrected, completions, ct);
    }

    private async Task<IReadOnlyList<string>> FoundAsync(
        string[] before, IReadOnlyList<WordCount> completions, CancellationToken ct)
    {
        var start = string.Join(' ', before);
        var setting = before.Length == 1 ? OneSql : SeveralSql;
        var found = await database.Searches[Resource.Products.Name].RunAsync(
            source => FoundAsync(source, setting, Command(start, completions), ct), ct);
        return [.. found.Select(word => $"{start} {word}")];
    }

    private static async Task<List<string>> FoundAsync(
        NpgsqlDataSource source, string setting, NpgsqlBatchCommand command, CancellationToken ct)
    {
        using var delayed = DelayedCancellation.Of(ct);
        await using var batch = source.CreateBatch();
        batch.BatchCommands.Add(new(setting));
        batch.BatchCommands.Add(command);
        await using var rows = await batch.ExecuteReaderAsync(delayed.Token);
        await rows.NextResultAsync(delayed.Token);
        var found = new List<string>();
        while (await rows.ReadAsync(delayed.Token)) found.Add(rows.GetString(0));
        return found;
    }

    private static NpgsqlBatchCommand Command(string start, IReadOnlyList<WordCount> completions)
    {
        var rare = completions.Where(one => one.Products <= Rare).Take(RareCompared).Select(one => Quoted(one.Word));
        return new(Sql)
        {
            Parameters =
            {
                new NpgsqlParameter<string> { TypedValue = start },
                new NpgsqlParameter<string> { TypedValue = string.Join(" | ", rare) },
                new NpgsqlParameter<string[]> { TypedValue = [.. completions.Select(one => one.Word)] },
                new NpgsqlParameter<int> { TypedValue = LookedAt },
                new NpgsqlParameter<int> { TypedValue = Most },
            },
        };
    }

    private static string[] WordsOf(string text) => [.. Word().Matches(text).Select(match => match.Value)];

    // As a word of tsquery: it may contain a hyphen or an apostrophe.
    private static string Quoted(string word) => $"'{word.Replace(@"\", @"\\").Replace("'", "''")}'";

    [GeneratedRegex(@"[\p{L}\p{N}]+")]
    private static partial Regex Word();
}
