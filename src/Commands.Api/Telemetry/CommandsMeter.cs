namespace ApexShop.Commands.Api.Telemetry;

/// <summary>The meter and the activity source of this process.</summary>
internal static class CommandsMeter
{
    public const string Name = "ApexShop.Commands";
}
