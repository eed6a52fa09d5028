namespace ApexShop.Commands.Api.Operations.Console;

internal static class ConsoleRoutes
{
    public static void MapConsole(this IEndpointRouteBuilder app)
    {
        GetPipeline.Map(app.MapGroup("/admin").WithTags("admin"));
        GetConsole.Map(app);
    }
}
