namespace ApexShop.Commands.Api.Operations;

/// <summary>Section <c>Projector</c>.</summary>
internal sealed class ProjectorOptions
{
    public const string Section = "Projector";

    /// <summary>Addresses of the Projectors; the first one available executes a request.</summary>
    public IList<Uri> Urls { get; init; } = [];
}
