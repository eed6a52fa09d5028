using ApexShop.Events;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// The requested part of the log. <paramref name="UpTo"/> is the head at the time of the request, so that a response
/// ends however fast the log grows. Compacted: of each aggregate only the last event up to there, if the filter
/// includes it. Whole: it is refused when events of the filter were removed.
/// </summary>
internal sealed record EventRange(EventFilter Filter, long UpTo, bool IsCompacted, bool IsWhole = false);

/// <summary>
/// One page of a range; entries up to and including <paramref name="LastPosition"/> were examined. After it about
/// <paramref name="NextSize"/> entries fill a page.
/// </summary>
internal sealed record EventPage(List<LogEntry> Entries, long LastPosition, bool IsLast, int NextSize);
