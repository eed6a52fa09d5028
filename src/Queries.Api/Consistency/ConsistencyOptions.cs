using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Consistency;

/// <summary>Section <c>Consistency</c>.</summary>
internal sealed class ConsistencyOptions
{
    public const string Section = "Consistency";

    /// <summary>How long a query waits for the change that its token names.</summary>
    [Range(0, 60_000)]
    public int WaitMilliseconds { get; set; } = 2_000;
}

[OptionsValidator]
internal sealed partial class ConsistencyOptionsValidator : IValidateOptions<ConsistencyOptions>;
