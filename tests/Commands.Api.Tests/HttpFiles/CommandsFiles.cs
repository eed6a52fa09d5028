using ApexShop.TestKit;
using ApexShop.TestKit.HttpFiles;

namespace ApexShop.Commands.Api.Tests.HttpFiles;

/// <summary>The .http files of the commands.</summary>
internal static class CommandsFiles
{
    public static IReadOnlyList<HttpFile> All { get; } = HttpFile.Of(ShopPrograms.Commands);
}
