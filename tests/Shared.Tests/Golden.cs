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

    /// <summary>With APEXSHOP_WRITE_CONTRACTS a file that does not exist yet is written; no file is changed.</summary>
    public static void ShouldMatch(ReadOnlySpan<byte> written, string name)
    {
        var text = Encoding.UTF8.GetString(written);
        if (Environment.GetEnvironmentVariable("APEXSHOP_WRITE_CONTRACTS") is not null && !File.Exists(FileOf(name)))
            File.WriteAllText(FileOf(name), text + "\n");
        text.ShouldBe(Text(name));
    }

    public static IEnumerable<string> Names(string folder) =>
        Directory.EnumerateFiles(Path.Combine(Folder(), folder), "*.json")
            .Select(Path.GetFileNameWithoutExtension).Order()!;

    private static string Text(string name) => File.ReadAllText(FileOf(name)).TrimEnd('\n');

    private static string FileOf(string name) => Path.Combine(Folder(), name + ".json");

    private static string Folder([CallerFilePath] string here = "") =>
        Path.Combine(Path.GetDirectoryName(here)!, "golden");
}
