using ApexShop.Limits;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>GET /limits: the limits of requests, each with the response to a request that exceeds it.</summary>
internal static class GetLimits
{
    internal sealed record View(IReadOnlyList<LimitLine> Limits);

    public static void Map(RouteGroupBuilder shop) =>
        shop.MapGet("/limits", Handle).WithName(nameof(GetLimits)).WithTags("limits");

    private static Ok<View> Handle(LimitTable table) => TypedResults.Ok(new View(table.Lines));
}
