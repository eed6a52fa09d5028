using ApexShop.Queries.Api.Reading;

namespace ApexShop.Queries.Api.Streaming;

/// <summary>How far a stream has come. As a feature of a request it says that the answer can be resumed from there.</summary>
internal sealed class StreamPlace(Start start)
{
    /// <summary>Where the documents begin that were not sent yet.</summary>
    public Start Next { get; set; } = start;

    /// <summary>The id behind which they begin; null at the beginning and in any other order than that of ids.</summary>
    public int? AfterId => Next.At is { Value: null } at ? at.Id : null;
}

/// <summary>The process stops, and the stream has had the time that it may take meanwhile.</summary>
internal sealed class StreamStoppedException() : Exception("The process stops.");
