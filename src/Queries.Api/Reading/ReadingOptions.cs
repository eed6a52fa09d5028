using System.ComponentModel.DataAnnotations;
using ApexShop.Access;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Reading;

/// <summary>Section <c>Reading</c>; the connection string itself is <c>ConnectionStrings:Read</c>.</summary>
internal sealed class ReadingOptions
{
    public const string Section = "Reading";

    [Required]
    public string ConnectionString { get; set; } = "";

    /// <summary>
    /// <c>ConnectionStrings:ReadStreams</c>: the database of streams and exports, such as a replica. It names one host,
    /// so that the server that showed the change of a Consistency-Token is also the one that is read. Without a value
    /// the streams use <c>ConnectionStrings:Read</c>.
    /// </summary>
    [RegularExpression(
        "(?i)(?!.*(host|server)[^;]*,).*", ErrorMessage = "ConnectionStrings:ReadStreams must name one host.")]
    public string StreamsConnectionString { get; set; } = "";

    /// <summary>
    /// The key that signs cursors: at least 32 bytes as base64, the same for all processes behind one address. Only in
    /// Development it may be left out.
    /// </summary>
    [Required, Base64String, RegularExpression(SigningKey.Pattern)]
    public string CursorKey { get; set; } = "";

    /// <summary>Most connections for single documents and pages.</summary>
    [Range(1, 1000)]
    public int Connections { get; set; } = 32;

    /// <summary>
    /// Most connections of one resource for searches: lists and counts whose cost depends on their values.
    /// </summary>
    [Range(1, 1000)]
    public int SearchConnections { get; set; } = 4;

    /// <summary>Most connections of one resource for walks: index scans that skip the rows a filter excludes.</summary>
    [Range(1, 1000)]
    public int WalkConnections { get; set; } = 4;

    /// <summary>Most connections of one resource for numbered pages before which many rows are skipped.</summary>
    [Range(1, 1000)]
    public int DeepPageConnections { get; set; } = 1;

    /// <summary>Most rows that are skipped for a numbered page; a deeper page is refused.</summary>
    [Range(0, int.MaxValue)]
    public int MaxOffset { get; set; } = 10_000;

    /// <summary>The time limit of a search, of a walk and of a deep numbered page.</summary>
    [Range(1, 30)]
    public int SearchSeconds { get; set; } = 5;

    /// <summary>How long a request waits for a connection before it is answered with 503.</summary>
    [Range(1, 60)]
    public int WaitSeconds { get; set; } = 5;

    /// <summary>
    /// The time limit of any other statement. One request cannot cancel it, since a statement may serve many requests.
    /// </summary>
    [Range(1, 60)]
    public int StatementSeconds { get; set; } = 10;

    /// <summary>
    /// Memory for responses above 64 KB while they are sent, three quarters of it for callers without a key and half of
    /// it for one caller; more such responses are answered with 503.
    /// </summary>
    [Range(8, 65_536)]
    public int UnsentMegabytes { get; set; } = 96;
}

[OptionsValidator]
internal sealed partial class ReadingOptionsValidator : IValidateOptions<ReadingOptions>;
