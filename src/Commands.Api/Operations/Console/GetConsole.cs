using ApexShop.Hosting;

namespace ApexShop.Commands.Api.Operations.Console;

/// <summary>
/// GET /console/{*file}: the console page and its files. They are public and contain no data; the page requests its
/// data with the key that the operator enters.
/// </summary>
internal static class GetConsole
{
    private static readonly Dictionary<string, WebPageFile> files =
        WebPageFile.In(typeof(GetConsole).Assembly, "console").ToDictionary(file => file.Name, StringComparer.Ordinal);

    public static void Map(IEndpointRouteBuilder app) =>
        app.MapGet("/console/{*file}", Handle).WithName(nameof(GetConsole)).ExcludeFromDescription();

    private static Task Handle(HttpContext http, string? file) =>
        files.TryGetValue(file ?? WebPageFile.Entry, out var found)
        ? found.SendAsync(http)
        : TypedResults.NotFound().ExecuteAsync(http);
}
