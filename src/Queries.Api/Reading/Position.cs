namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// A row's place in a list: its value of the list's order, null in the order of ids, and its id. Of a row that is
/// inside, one that passed the list's filters, the end of a range behind it need not be asked for.
/// </summary>
internal readonly record struct Position(object? Value, int Id, bool IsInside = true);

/// <summary>What was appended: how many documents, where the first and the last stand, whether there are more.</summary>
internal readonly record struct Slice(int Count, Position First, Position Last, bool HasMore);

/// <summary>Where a piece of a list begins and in which direction it goes from there.</summary>
internal readonly record struct Start(Position? At, bool IsBackwards = false)
{
    public static readonly Start Beginning;

    public static Start After(Position at) => new(at);
}
