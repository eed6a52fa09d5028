namespace ApexShop.Commands.Api.Telemetry;

/// <summary>The meter and the activity source of this process.</summary>
internal static class ShopMeter
{
    public const string Name = "ApexShop.Commands";
}
