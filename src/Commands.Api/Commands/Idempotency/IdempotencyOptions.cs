using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Commands.Idempotency;

/// <summary>Section <c>Idempotency</c>: how long a response is stored.</summary>
internal sealed class IdempotencyOptions
{
    public const string Section = "Idempotency";

    /// <summary>How long a response is stored, and sent again for its key; then the key can be used again.</summary>
    // The storefront repeats an order for half an hour, whatever this is.
    [Range(typeof(TimeSpan), "01:00:00", "30.00:00:00")]
    public TimeSpan Lifetime { get; set; } = TimeSpan.FromHours(24);

    /// <summary>How often expired responses are deleted. They are never sent, deleted or not.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "1.00:00:00")]
    public TimeSpan SweepInterval { get; set; } = TimeSpan.FromMinutes(10);

    /// <summary>How many expired responses one statement deletes.</summary>
    [Range(1, 100_000)]
    public int SweepChunk { get; set; } = 1000;
}

[OptionsValidator]
internal sealed partial class IdempotencyOptionsValidator : IValidateOptions<IdempotencyOptions>;
