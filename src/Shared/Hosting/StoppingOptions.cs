using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Hosting;

/// <summary>Section <c>Stopping</c>: the time limit of each step of <see cref="GracefulShutdown"/>.</summary>
public sealed class StoppingOptions
{
    public const string Section = "Stopping";

    /// <summary>
    /// How long the process, no longer ready, still serves requests, so that load balancers can remove it before its
    /// listener closes. It must be longer than two probe intervals. Default: 5, in Development 0.
    /// </summary>
    [Range(0, 300)]
    public int? DrainSeconds { get; set; }

    /// <summary>How long running streams and exports may continue after that; then they end with an error.</summary>
    [Range(0, 3600)]
    public int StreamSeconds { get; set; } = 10;

    /// <summary>
    /// How long other running requests may continue; then they are aborted. Never less than 5 more than StreamSeconds.
    /// </summary>
    [Range(1, 3600)]
    public int RequestSeconds { get; set; } = 30;

    // Streams would be aborted otherwise before the line that ends them.
    internal TimeSpan RequestLimit => TimeSpan.FromSeconds(Math.Max(RequestSeconds, StreamSeconds + 5));
}

[OptionsValidator]
internal sealed partial class StoppingOptionsValidator : IValidateOptions<StoppingOptions>;
