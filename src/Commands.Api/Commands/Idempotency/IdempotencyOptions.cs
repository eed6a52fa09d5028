using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Commands.Idempotency;

/// <summary>Section <c>Idempotency</c>: how long an answer is given again.</summary>
internal sealed class IdempotencyOptions
{
    public const string Section = "Idempotency";

    /// <summary>From the first answer on; then the key is as good as new.</summary>
    [Range(typeof(TimeSpan), "00:01:00", "30.00:00:00")]
    public TimeSpan Lifetime { get; set; } = TimeSpan.FromHours(24);

    /// <summary>How often expired answers are deleted. They are not given again, deleted or not.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "1.00:00:00")]
    public TimeSpan SweepInterval { get; set; } = TimeSpan.FromMinutes(10);

    /// <summary>Expired answers that one statement deletes.</summary>
    [Range(1, 100_000)]
    public int SweepChunk { get; set; } = 1000;
}

[OptionsValidator]
internal sealed partial class IdempotencyOptionsValidator : IValidateOptions<IdempotencyOptions>;
