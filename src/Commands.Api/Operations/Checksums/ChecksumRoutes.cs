namespace ApexShop.Commands.Api.Operations.Checksums;

internal static class ChecksumRoutes
{
    public static void MapChecksums(this IEndpointRouteBuilder app)
    {
        var events = app.MapGroup("/events").WithTags("events")
            .AddEndpointFilter(app.ServiceProvider.GetRequiredService<ChecksumLimit>());
        ReadChecksums.Map(events);
        ReadAggregates.Map(events);
    }
}
