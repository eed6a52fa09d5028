using System.ComponentModel.DataAnnotations;
using ApexShop.Limits;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Limits;

/// <summary>Section <c>Limits</c>: the limits of one request, and of the number of requests of a caller.</summary>
internal sealed class LimitOptions
{
    public const string Section = "Limits";

    /// <summary>Items of one bulk request; more are refused with 413.</summary>
    [Range(1, 10_000)]
    public int BulkItems { get; set; } = 1000;

    /// <summary>
    /// Bytes of one item of a bulk request, with the separator and the white space around it; a longer one is refused
    /// with 413.
    /// </summary>
    [Range(1024, 1024 * 1024)]
    public int BulkItemBytes { get; set; } = 64 * 1024;

    /// <summary>Bytes of a body that is read as a stream.</summary>
    public const long StreamBytes = 256 * 1024 * 1024;

    /// <summary>Bytes of the body of POST /sessions, which needs no key.</summary>
    public const long SessionBytes = 4 * 1024;

    /// <summary>Items of a streamed body that share one transaction and one line of the response.</summary>
    [Range(1, 1000)]
    public int StreamChunkItems { get; set; } = 200;

    /// <summary>How long the client may pause while it streams a body.</summary>
    [Range(1, 600)]
    public int SilenceSeconds { get; set; } = 30;

    /// <summary>Rows that one set-based statement changes; for more rows, several are executed.</summary>
    [Range(1, 100_000)]
    public int ChunkRows { get; set; } = 2000;

    /// <summary>Bytes of a body with a list; a longer one is refused with 413.</summary>
    [Range(1024, 1L << 30)]
    public long BodyBytes { get; set; } = 10 * 1024 * 1024;

    /// <summary>Bytes of every other body; a longer one is refused with 413.</summary>
    [Range(1024, 1024 * 1024)]
    public long SingleBodyBytes { get; set; } = 64 * 1024;

    /// <summary>A request that takes longer is aborted with 503; streams have no time limit.</summary>
    [Range(0.1, 600)]
    public double RequestSeconds { get; set; } = 30;

    /// <summary>
    /// The time limit of commands that change any number of rows, of which a thousand take up to 100 ms, and of replays
    /// of several aggregates or messages.
    /// </summary>
    [Range(0.1, 3600)]
    public double LongRequestSeconds { get; set; } = 300;

    /// <summary>The rate of requests with one API key.</summary>
    [ValidateObjectMembers]
    public RateOptions KeyRate { get; set; } = new() { Requests = 5000, Burst = 10_000 };

    /// <summary>The rate of requests from one address without a valid key.</summary>
    [ValidateObjectMembers]
    public RateOptions AnonymousRate { get; set; } = new() { Requests = 200, Burst = 1000 };

    /// <summary>The rate of attempts to log in with one e-mail address, in each process.</summary>
    [ValidateObjectMembers]
    public RateOptions SessionEmailRate { get; set; } = new() { Requests = 5, Seconds = 300, Burst = 5 };

    /// <summary>The rate of attempts to log in from one address without an API key, in each process.</summary>
    [ValidateObjectMembers]
    public RateOptions SessionAddressRate { get; set; } = new() { Requests = 60, Seconds = 300, Burst = 60 };
}

[OptionsValidator]
internal sealed partial class LimitOptionsValidator : IValidateOptions<LimitOptions>;
