namespace ApexShop.Commands.Api.Operations.Admin;

/// <summary>
/// GET /admin: the pages with which people manage the shop, for every view of them. They are public and contain no
/// data; their scripts are files of the console, and send the key that a person enters.
/// </summary>
internal static class GetAdmin
{
    public static void Map(IEndpointRouteBuilder app) =>
        app.MapGet("/admin", Handle).WithName(nameof(GetAdmin)).ExcludeFromDescription();

    private static Task Handle(HttpContext http, AdminPage page) => page.SendAsync(http);
}
