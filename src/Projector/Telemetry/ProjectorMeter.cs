using System.Diagnostics;

namespace ApexShop.Projector.Telemetry;

/// <summary>The name of the process's meter, which is also that of its activity source.</summary>
internal static class ProjectorMeter
{
    public const string Name = "ApexShop.Projector";

    public static readonly ActivitySource Activities = new(Name);
}
