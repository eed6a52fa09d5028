using ApexShop.Events;

namespace ApexShop.Commands.Api.Events;

/// <summary>
/// What of the log is asked for: up to a position, which is the head at the time of the request, so that an answer has an
/// end however fast the log grows. Compacted: of each aggregate only the last event up to there, if the filter takes it.
/// </summary>
internal sealed record FeedRange(EventFilter Filter, long UpTo, bool IsCompacted);

/// <summary>A part of it, read up to and with a position.</summary>
internal sealed record FeedChunk(List<LogEntry> Entries, long Reached, bool IsLast);
