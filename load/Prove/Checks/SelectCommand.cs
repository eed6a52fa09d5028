using System.Globalization;
using System.Text.Json;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

/// <summary>A command that selects rows by a condition, its events, and the time in which it was executed.</summary>
internal sealed class SelectCommand
{
    // After every request.
    private static readonly long most = (long)TimeSpan.FromDays(365).TotalMicroseconds;

    private readonly DateTimeOffset? began;

    public SelectCommand(History history, CommandUnit unit)
    {
        (Unit, Selection, began) = (unit, Selection.Of(unit.First), history.Header.Began);
        Events = unit.OwnEvents(history);
        From = unit.First.Start;
        // Without an answer it may have been executed later than its client waited.
        Until = unit.Acknowledged?.End ?? most;
        // With a key all rows change in one transaction; other commands may have ended between two of theirs.
        IsKnown = unit.Acknowledged is not null || (unit.First.Key is not null && Events.Count > 0);
    }

    public CommandUnit Unit { get; }

    public Selection Selection { get; }

    public IReadOnlyList<LogEvent> Events { get; }

    public long From { get; }

    public long Until { get; }

    /// <summary>Whether it was certainly executed, and as a whole.</summary>
    public bool IsKnown { get; }

    /// <summary>The time before which a row is old enough, when it is now this moment.</summary>
    public DateTimeOffset Cutoff(long now, TimeSpan tolerance)
    {
        if (Selection.Days is not { } days) return DateTimeOffset.MaxValue;
        if (began is { } time) return time.AddMicroseconds(now).AddDays(-days) + tolerance;
        // Without that time nothing is certainly old, or certainly young.
        return tolerance > TimeSpan.Zero ? DateTimeOffset.MaxValue : DateTimeOffset.MinValue;
    }
}

/// <summary>The condition of a command: rows of a resource with a key, and maybe the age of their date.</summary>
internal sealed record Selection(string Resource, int Key, int? Days = null, int? Stock = null)
{
    public static Selection Of(Attempt attempt) => attempt.Operation switch
    {
        "products.bulk-stock" => new(
            Kinds.Products, JsonElement.Parse(attempt.Sent!).GetProperty("categoryId").GetInt32(),
            Stock: attempt.Stock),
        "reviews.delete-old" => new(Kinds.Reviews, Number(attempt.Path.Split('/')[3]), DaysOf(attempt)),
        "orders.delete-old" => new(Kinds.Orders, 0, DaysOf(attempt)),
        "users.deactivate-inactive" => new(Kinds.Users, 0, DaysOf(attempt)),
        _ => throw new InvalidOperationException($"{attempt.Operation} has no known condition."),
    };

    public bool Selects(AggregateState state) => KeyOf(state) == Key;

    /// <summary>What the condition compares; null for values that no condition selects.</summary>
    public int? KeyOf(AggregateState state) => Resource switch
    {
        Kinds.Products => state.CategoryId,
        Kinds.Reviews => state.ProductId,
        Kinds.Orders => state.Status == "Delivered" ? 0 : null,
        _ => state.IsActive ? 0 : null,
    };

    public DateTimeOffset DateOf(AggregateState state) => Resource switch
    {
        Kinds.Products => DateTimeOffset.MinValue,
        Kinds.Reviews => state.Created,
        Kinds.Orders => state.Delivered ?? DateTimeOffset.MaxValue,
        _ => state.LoggedIn ?? state.Created,
    };

    /// <summary>Whether a selected row changes: one that has the stock already does not.</summary>
    public bool Changes(AggregateState state) => Resource != Kinds.Products || state.Stock != Stock;

    /// <summary>Whether an event is what the command does to these values.</summary>
    public bool IsResult(AggregateState before, LogEvent one) => Resource switch
    {
        Kinds.Products => (before with { Stock = one.State.Stock }).Digest == one.State.Digest,
        Kinds.Users => (before with { IsActive = false }).Digest == one.State.Digest,
        _ => one.Kind == EventKind.Deleted,
    };

    private static int DaysOf(Attempt attempt) => Number(attempt.Path.Split('=')[1]);

    private static int Number(string text) => int.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture);
}
