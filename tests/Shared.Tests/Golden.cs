using System.Runtime.CompilerServices;
using System.Text;

namespace ApexShop.Shared.Tests;

/// <summary>
/// The expected bytes of serialized contracts, each in a file that ends with a line break. A changed file is a changed
/// contract. A file is never removed, because every published event must stay readable.
/// </summary>
internal static class Golden
{
    public static byte[] Bytes(string name) => Encoding.UTF8.GetBytes(Text(name));

    public static void ShouldMatch(ReadOnlySpan<byte> written, string name) =>
        Encoding.UTF8.GetString(written).ShouldBe(Text(name));

    public static IEnumerable<string> Names(string folder) =>
        Directory.EnumerateFiles(Path.Combine(Folder(), folder), "*.json")
            .Select(Path.GetFileNameWithoutExtension).Order()!;

    private static string Text(string name) => File.ReadAllText(Path.Combine(Folder(), name + ".json")).TrimEnd('\n');

    private static string Folder([CallerFilePath] string here = "") =>
        Path.Combine(Path.GetDirectoryName(here)!, "golden");
}
