using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Limits;

/// <summary>Section <c>Limits</c>: what one request may ask for.</summary>
internal sealed class LimitOptions
{
    public const string Section = "Limits";

    /// <summary>Items of one bulk request; one more is refused with 413.</summary>
    [Range(1, 10_000)]
    public int BulkItems { get; set; } = 1000;

    /// <summary>Bytes of one item of a bulk request; a longer one is refused with 413.</summary>
    [Range(1024, 1024 * 1024)]
    public int BulkItemBytes { get; set; } = 64 * 1024;

    /// <summary>Rows that one set-based statement changes; a command that has more to change runs several.</summary>
    [Range(1, 100_000)]
    public int ChunkRows { get; set; } = 1000;
}

[OptionsValidator]
internal sealed partial class LimitOptionsValidator : IValidateOptions<LimitOptions>;
