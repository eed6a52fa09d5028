using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Operations;

/// <summary>Section <c>Projector</c>.</summary>
internal sealed class ProjectorOptions
{
    public const string Section = "Projector";

    /// <summary>Addresses of the Projectors; the first one available executes a request.</summary>
    [HttpUrls]
    public IList<Uri> Urls { get; init; } = [];

    /// <summary>How long a Projector may take to respond to a GET before the request is sent to the next one.</summary>
    [Range(1, 60)]
    public int ReadSeconds { get; set; } = 10;
}

[OptionsValidator]
internal sealed partial class ProjectorOptionsValidator : IValidateOptions<ProjectorOptions>;
