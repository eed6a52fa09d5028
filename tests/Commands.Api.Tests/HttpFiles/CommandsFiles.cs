using ApexShop.TestKit;
using ApexShop.TestKit.HttpFiles;

namespace ApexShop.Commands.Api.Tests.HttpFiles;

/// <summary>
/// The .http files of the commands; the one that seeds the shop comes first, so that the first ids are seeded rows.
/// </summary>
internal static class CommandsFiles
{
    public static IReadOnlyList<HttpFile> All { get; } =
    [
        .. HttpFile.Of(ShopPrograms.Commands).OrderByDescending(Seeds),
    ];

    public static bool Seeds(HttpFile file) =>
        file.Requests.Any(request => request.Url.EndsWith("/admin/seed", StringComparison.Ordinal));
}
