using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>Section <c>Rebuilding</c>.</summary>
internal sealed class RebuildingOptions
{
    public const string Section = "Rebuilding";

    /// <summary>
    /// Whether the documents are rebuilt automatically when the event log is another one, as after a restore of the
    /// write database, and when a Projector starts with another Shop:Currency than the documents have. An empty log
    /// never starts a rebuild.
    /// </summary>
    public bool AfterRestore { get; set; } = true;

    /// <summary>How long a rebuild tries to switch the tables before it fails.</summary>
    [Range(1, 86_400)]
    public int SwitchSeconds { get; set; } = 300;
}

[OptionsValidator]
internal sealed partial class RebuildingOptionsValidator : IValidateOptions<RebuildingOptions>;
