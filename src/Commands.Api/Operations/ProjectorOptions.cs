namespace ApexShop.Commands.Api.Operations;

/// <summary>Section <c>Projector</c>.</summary>
internal sealed class ProjectorOptions
{
    public const string Section = "Projector";

    /// <summary>
    /// Addresses of the Projectors. Each can execute every operator request; the first one available is used.
    /// </summary>
    public IList<Uri> Urls { get; init; } = [];
}
