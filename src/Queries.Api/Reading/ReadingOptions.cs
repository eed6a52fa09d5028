using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Reading;

/// <summary>Section <c>Reading</c>; the connection string itself is <c>ConnectionStrings:Read</c>.</summary>
internal sealed class ReadingOptions
{
    public const string Section = "Reading";

    [Required]
    public string ConnectionString { get; set; } = "";

    /// <summary>
    /// <c>ConnectionStrings:ReadStreams</c>: where streams and exports are read, which are never kept; a replica may be
    /// behind. One host, so that what a Consistency-Token was found on is what is read. Without a value the same.
    /// </summary>
    [RegularExpression("(?i)(?!.*(host|server)[^;]*,).*", ErrorMessage = "ConnectionStrings:ReadStreams must name one host.")]
    public string StreamsConnectionString { get; set; } = "";

    /// <summary>
    /// What cursors are signed with: at least 32 bytes as base64, the same for every process behind one address.
    /// </summary>
    [Required, Base64String, StringLength(1024, MinimumLength = 43)]
    public string CursorKey { get; set; } = "";

    /// <summary>Most connections for single documents and pages.</summary>
    [Range(1, 1000)]
    public int Connections { get; set; } = 32;

    /// <summary>Most connections for lists and counts whose cost depends on what they are asked for.</summary>
    [Range(1, 1000)]
    public int SearchConnections { get; set; } = 8;

    /// <summary>How long such a list or count may take before it is given up.</summary>
    [Range(1, 30)]
    public int SearchSeconds { get; set; } = 5;

    /// <summary>How long a request waits for a connection before it is told to come back later.</summary>
    [Range(1, 60)]
    public int WaitSeconds { get; set; } = 5;

    /// <summary>
    /// How long any other statement may take, whoever waits for it: those that answer many requests at once cannot be ended
    /// by one of them.
    /// </summary>
    [Range(1, 60)]
    public int GatheredSeconds { get; set; } = 10;
}

[OptionsValidator]
internal sealed partial class ReadingOptionsValidator : IValidateOptions<ReadingOptions>;
