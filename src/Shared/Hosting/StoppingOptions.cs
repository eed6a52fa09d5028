using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Hosting;

/// <summary>Section <c>Stopping</c>: how long each step of a process's end may take.</summary>
public sealed class StoppingOptions
{
    public const string Section = "Stopping";

    /// <summary>
    /// How long the process goes on as before after it was told to stop, unready, so that a load balancer can leave
    /// before the listener closes: longer than two of its probes are apart. Without a value 5, in Development 0.
    /// </summary>
    [Range(0, 300)]
    public int? DrainSeconds { get; set; }

    /// <summary>How long streams and exports under way may go on after that; they then end and say so.</summary>
    [Range(0, 3600)]
    public int StreamSeconds { get; set; } = 10;

    /// <summary>How long anything else that is under way may go on; it is then cut off.</summary>
    [Range(1, 3600)]
    public int RequestSeconds { get; set; } = 30;
}

[OptionsValidator]
internal sealed partial class StoppingOptionsValidator : IValidateOptions<StoppingOptions>;
