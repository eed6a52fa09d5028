using ApexShop.Queries.Api.Reading;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>How much of a stream was sent. As a feature of a request it marks a response that can be resumed.</summary>
internal sealed class StreamProgress(ScanStart start)
{
    /// <summary>Where the documents begin that were not sent yet.</summary>
    public ScanStart Next { get; set; } = start;

    /// <summary>The last id that was sent; null at the beginning and in any order other than that of ids.</summary>
    public int? AfterId => Next.At is { Value: null } at ? at.Id : null;
}

/// <summary>The process is stopping, and the time that a stream has for its end is over.</summary>
internal sealed class StreamStoppedException() : Exception("The process is stopping.");

/// <summary>The list has more documents than a stream may have.</summary>
internal sealed class StreamTooLongException() : Exception("The list has more documents than Streaming:MaxDocuments.");
