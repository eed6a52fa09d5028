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

    /// <summary>
    /// How many documents of a resource a rebuild writes in one transaction. A rebuild whose Projector ended is
    /// continued after the last of these. The rows of all but the first transaction are vacuumed once more.
    /// </summary>
    [Range(1, 1_000_000_000)]
    public int TransactionDocuments { get; set; } = 1_000_000;
}

[OptionsValidator]
internal sealed partial class RebuildingOptionsValidator : IValidateOptions<RebuildingOptions>;
