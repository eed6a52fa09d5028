using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>Section <c>Auditing</c>.</summary>
internal sealed class AuditingOptions
{
    public const string Section = "Auditing";

    /// <summary>
    /// Time from the end of a scheduled audit, which repairs nothing, until the next one. Zero for none.
    /// </summary>
    public TimeSpan Interval { get; set; } = TimeSpan.FromDays(1);

    /// <summary>
    /// How long an audit waits for a document that is behind its row; after that it is counted as not compared.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:10:00")]
    public TimeSpan Patience { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Differences that are reported one by one; the others are only counted.</summary>
    [Range(0, 100_000)]
    public int Named { get; set; } = 100;
}

[OptionsValidator]
internal sealed partial class AuditingOptionsValidator : IValidateOptions<AuditingOptions>;
