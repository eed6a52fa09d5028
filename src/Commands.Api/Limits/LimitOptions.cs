using System.ComponentModel.DataAnnotations;
using ApexShop.Limits;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Limits;

/// <summary>Section <c>Limits</c>: what one request may ask for, and how many requests a caller may send.</summary>
internal sealed class LimitOptions
{
    public const string Section = "Limits";

    /// <summary>Items of one bulk request; one more is refused with 413.</summary>
    [Range(1, 10_000)]
    public int BulkItems { get; set; } = 1000;

    /// <summary>Bytes of one item of a bulk request; a longer one is refused with 413.</summary>
    [Range(1024, 1024 * 1024)]
    public int BulkItemBytes { get; set; } = 64 * 1024;

    /// <summary>Bytes of a body that is read as a stream.</summary>
    public const long StreamBytes = 256 * 1024 * 1024;

    /// <summary>Items of a streamed body that are one transaction and one line of the answer.</summary>
    [Range(1, 1000)]
    public int StreamChunkItems { get; set; } = 200;

    /// <summary>How long the sender of a streamed body may send nothing.</summary>
    [Range(1, 600)]
    public int SilenceSeconds { get; set; } = 30;

    /// <summary>Rows that one set-based statement changes; a command that has more to change runs several.</summary>
    [Range(1, 100_000)]
    public int ChunkRows { get; set; } = 2000;

    /// <summary>Bytes of a body.</summary>
    [Range(1024, 1L << 30)]
    public long BodyBytes { get; set; } = 10 * 1024 * 1024;

    /// <summary>A request that is not answered by then is given up with 503; a streamed one is not timed.</summary>
    [Range(0.1, 600)]
    public double RequestSeconds { get; set; } = 30;

    /// <summary>The same for a command whose work grows with what there is; a thousand rows take up to 100 ms.</summary>
    [Range(0.1, 3600)]
    public double LongRequestSeconds { get; set; } = 300;

    /// <summary>Requests with one API key.</summary>
    [ValidateObjectMembers]
    public RateOptions KeyRate { get; set; } = new() { Requests = 5000, Burst = 10_000 };

    /// <summary>Requests without a known key, from one address.</summary>
    [ValidateObjectMembers]
    public RateOptions AnonymousRate { get; set; } = new() { Requests = 200, Burst = 1000 };
}

[OptionsValidator]
internal sealed partial class LimitOptionsValidator : IValidateOptions<LimitOptions>;
