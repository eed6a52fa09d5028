using ApexShop.Limits;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Limits;

/// <summary>GET /limits: how much a caller may ask for, and what is said beyond.</summary>
internal static class GetLimits
{
    internal sealed record View(IReadOnlyList<LimitLine> Limits);

    public static void Map(RouteGroupBuilder limits) => limits.MapGet("", Handle).WithName(nameof(GetLimits));

    private static Ok<View> Handle(LimitTable table) => TypedResults.Ok(new View(table.Lines));
}
