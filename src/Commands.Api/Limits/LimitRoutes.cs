namespace ApexShop.Commands.Api.Limits;

internal static class LimitRoutes
{
    public static void MapLimits(this IEndpointRouteBuilder app) => GetLimits.Map(app.MapGroup("/limits").WithTags("limits"));
}
