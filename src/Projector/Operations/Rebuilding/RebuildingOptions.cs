using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>Section <c>Rebuilding</c>.</summary>
internal sealed class RebuildingOptions
{
    public const string Section = "Rebuilding";

    /// <summary>
    /// Whether the documents are rebuilt when the event log turns out to be another one, as after a restore of the write
    /// database. A log without any event is never followed unasked.
    /// </summary>
    public bool AfterRestore { get; set; } = true;

    /// <summary>How long the exchange of the tables is tried before a rebuild is given up.</summary>
    [Range(1, 86_400)]
    public int SwitchSeconds { get; set; } = 300;
}

[OptionsValidator]
internal sealed partial class RebuildingOptionsValidator : IValidateOptions<RebuildingOptions>;
