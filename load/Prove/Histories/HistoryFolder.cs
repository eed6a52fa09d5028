using System.Collections;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace ApexShop.Prove.Histories;

/// <summary>A history as files: the header, a line for each attempt and for each event, the state at rest.</summary>
internal static class HistoryFolder
{
    public const string Header = "header.json";
    public const string Attempts = "attempts.ndjson";
    public const string Events = "events.ndjson";
    public const string Rest = "rest.json";

    public static JsonSerializerOptions Json { get; } = new(JsonSerializerDefaults.Web)
    {
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingDefault,
        Converters = { new JsonStringEnumConverter() },
        TypeInfoResolver = new DefaultJsonTypeInfoResolver { Modifiers = { WithoutEmptyLists } },
    };

    /// <summary>Writes a history; <paramref name="events"/> are the lines as the log returned them.</summary>
    public static async Task WriteAsync(
        string folder, RunHeader header, IEnumerable<Attempt> attempts, IEnumerable<string> events, RestState rest)
    {
        Directory.CreateDirectory(folder);
        await File.WriteAllTextAsync(Path.Combine(folder, Header), JsonSerializer.Serialize(header, Json));
        await File.WriteAllTextAsync(Path.Combine(folder, Rest), JsonSerializer.Serialize(rest, Json));
        await WriteLinesAsync(
            Path.Combine(folder, Attempts), attempts.Select(attempt => JsonSerializer.Serialize(attempt, Json)));
        await WriteLinesAsync(Path.Combine(folder, Events), events);
    }

    /// <exception cref="IOException">A file is missing, or is of another release.</exception>
    public static async Task<History> ReadAsync(string folder, CancellationToken ct)
    {
        var header = JsonSerializer.Deserialize<RunHeader>(await TextAsync(folder, Header, ct), Json)!;
        if (header.Format != RunHeader.Current)
            throw new IOException($"The history in {folder} was written by another release, which can check it.");
        var rest = JsonSerializer.Deserialize<RestState>(await TextAsync(folder, Rest, ct), Json)!;
        var attempts = new List<Attempt>();
        await foreach (var line in File.ReadLinesAsync(Path.Combine(folder, Attempts), ct))
            attempts.Add(JsonSerializer.Deserialize<Attempt>(line, Json)!);
        var events = new List<LogEvent>();
        await foreach (var line in File.ReadLinesAsync(Path.Combine(folder, Events), ct))
            events.Add(LogEvent.Parse(line));
        return new(header, attempts, events, rest);
    }

    private static Task<string> TextAsync(string folder, string name, CancellationToken ct) =>
        File.ReadAllTextAsync(Path.Combine(folder, name), ct);

    private static async Task WriteLinesAsync(string path, IEnumerable<string> lines)
    {
        await using var file = new StreamWriter(path);
        foreach (var line in lines) await file.WriteLineAsync(line);
    }

    // Most attempts have no lists, and a million of them are written.
    private static void WithoutEmptyLists(JsonTypeInfo type)
    {
        if (type.Type != typeof(Attempt)) return;
        foreach (var property in type.Properties.Where(property => property.PropertyType != typeof(string)
            && typeof(IEnumerable).IsAssignableFrom(property.PropertyType)))
            property.ShouldSerialize = (_, value) => value is not null and not ICollection { Count: 0 };
    }
}
