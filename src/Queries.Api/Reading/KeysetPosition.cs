namespace ApexShop.Queries.Api.Reading;

/// <summary>
/// A row's position in a list: its value of the list's order, null in the order of ids, and its id. For a row that is
/// in the list, one that passed its filters, the bound of a range where the scan begins need not be tested again.
/// </summary>
internal readonly record struct KeysetPosition(object? Value, int Id, bool IsInList = true);

/// <summary>
/// What was read: how many documents, the positions of the first and the last, whether there are more.
/// </summary>
internal readonly record struct DocumentRange(int Count, KeysetPosition First, KeysetPosition Last, bool HasMore);

/// <summary>The position where a scan of a list begins, and its direction.</summary>
internal readonly record struct ScanStart(KeysetPosition? At, bool IsBackwards = false)
{
    public static readonly ScanStart Beginning;

    public static ScanStart After(KeysetPosition at) => new(at);
}
