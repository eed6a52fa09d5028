namespace ApexShop.Queries.Api.Telemetry;

/// <summary>The meter, and the source of spans, of this process.</summary>
internal static class QueriesMeter
{
    public const string Name = "ApexShop.Queries";
}
