namespace ApexShop.Commands.Api.Admin;

/// <summary>Section <c>Projector</c>.</summary>
internal sealed class ProjectorOptions
{
    public const string Section = "Projector";

    /// <summary>Addresses of the Projectors; each can do all that operators ask, so the first that answers does it.</summary>
    public IList<Uri> Urls { get; init; } = [];
}
