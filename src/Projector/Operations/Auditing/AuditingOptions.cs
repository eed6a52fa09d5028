using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Operations.Auditing;

/// <summary>Section <c>Auditing</c>.</summary>
internal sealed class AuditingOptions
{
    public const string Section = "Auditing";

    /// <summary>Time between audits that nobody asked for; they repair nothing. Zero for none.</summary>
    public TimeSpan Interval { get; set; } = TimeSpan.FromDays(1);

    /// <summary>How long a document may lag behind its row before it is left unjudged.</summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:10:00")]
    public TimeSpan Patience { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Differences that are named; the others are counted.</summary>
    [Range(0, 100_000)]
    public int Named { get; set; } = 100;
}

[OptionsValidator]
internal sealed partial class AuditingOptionsValidator : IValidateOptions<AuditingOptions>;
