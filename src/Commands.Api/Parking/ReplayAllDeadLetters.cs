using ApexShop.Commands.Api.Admin;
using ApexShop.Operations;

namespace ApexShop.Commands.Api.Parking;

/// <summary>POST /admin/dead-letters/replay: reads and applies up to 100 messages again, each by itself.</summary>
internal static class ReplayAllDeadLetters
{
    public static void Map(RouteGroupBuilder admin) => admin.MapPost("/dead-letters/replay", Handle)
        .WithName(nameof(ReplayAllDeadLetters))
        .Produces<DeadLetterReplays>();

    private static Task Handle(HttpContext http, ProjectorGateway projector, bool dryRun = false, int after = 0, int limit = 100) =>
        projector.ForwardAsync(http);
}
