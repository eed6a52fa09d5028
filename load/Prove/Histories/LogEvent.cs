using System.Globalization;
using System.Text.Json;

namespace ApexShop.Prove.Histories;

internal enum EventKind
{
    Created,
    Changed,
    Deleted,
}

/// <summary>One event of the log as GET /events returns it.</summary>
internal sealed record LogEvent
{
    /// <summary>The name of the actor of changes that the shop makes itself.</summary>
    public const string Shop = "apexshop";

    public long Position { get; init; }

    public long Previous { get; init; }

    public string Id { get; init; } = "";

    public string LogId { get; init; } = "";

    public string Type { get; init; } = "";

    public string Resource { get; init; } = "";

    public int Aggregate { get; init; }

    public string Trace { get; init; } = "";

    public string Actor { get; init; } = "";

    public long Version { get; init; }

    public AggregateState State { get; init; } = AggregateState.None;

    /// <summary>Whether it is the removal of a person.</summary>
    public bool IsErasure => Type == "apexshop.user.erased";

    /// <summary>Equal for equal events, whichever way they were received.</summary>
    public long Digest => Hash.Of(string.Create(
        CultureInfo.InvariantCulture,
        $"{Id}|{Type}|{Resource}/{Aggregate}|{Version}|{Trace}|{Actor}|{State.Digest}"));

    public EventKind Kind => Type[(Type.LastIndexOf('.') + 1)..] switch
    {
        "created" or "placed" => EventKind.Created,
        "deleted" => EventKind.Deleted,
        _ => EventKind.Changed,
    };

    /// <summary>Reads one CloudEvent.</summary>
    public static LogEvent Parse(string line)
    {
        using var document = JsonDocument.Parse(line);
        var json = document.RootElement;
        var subject = json.GetProperty("subject").GetString()!.Split('/');
        var data = json.GetProperty("data");
        var resource = string.Intern(subject[0]);
        var one = new LogEvent
        {
            Position = PositionIn(json, "sequence"),
            Previous = PositionIn(json, "previous"),
            Id = json.GetProperty("id").GetString()!,
            LogId = string.Intern(Text(json, "logid")),
            Type = string.Intern(json.GetProperty("type").GetString()!),
            Resource = resource,
            Aggregate = int.Parse(subject[1], NumberStyles.None, CultureInfo.InvariantCulture),
            Trace = Text(json, "correlationid"),
            Actor = string.Intern(Text(json, "actor")),
            Version = data.GetProperty("version").GetInt64(),
        };
        return one.Kind == EventKind.Deleted ? one : one with { State = StateReader.OfEvent(resource, data) };
    }

    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture, $"{Type} of {Resource}/{Aggregate} version {Version} at {Position}");

    private static long PositionIn(JsonElement json, string name) =>
        long.Parse(json.GetProperty(name).GetString()!, NumberStyles.None, CultureInfo.InvariantCulture);

    private static string Text(JsonElement json, string name) =>
        json.TryGetProperty(name, out var value) ? value.GetString() ?? "" : "";
}
