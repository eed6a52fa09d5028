using System.Security.Cryptography;

namespace ApexShop.EndToEnd.Tests.Erasing;

/// <summary>
/// Texts that are nowhere else, as every value of a person may be: twenty digits, of which the first are the same, so
/// that one search of many bytes finds all of them.
/// </summary>
internal static class Canary
{
    private const int Length = 20;

    private static ReadOnlySpan<byte> Start => "739152846"u8;

    public static string New() => System.Text.Encoding.ASCII.GetString(Start) + string.Concat(
        Enumerable.Range(0, Length - Start.Length).Select(_ => RandomNumberGenerator.GetInt32(1, 10)));

    /// <summary>Adds those that the bytes have, also a part of one where the bytes end.</summary>
    public static void AddTo(ISet<string> found, ReadOnlySpan<byte> bytes)
    {
        for (var at = bytes.IndexOf(Start); at >= 0; at = bytes.IndexOf(Start))
        {
            bytes = bytes[at..];
            found.Add(System.Text.Encoding.Latin1.GetString(bytes[..Math.Min(Length, bytes.Length)]));
            bytes = bytes[Start.Length..];
        }
    }
}
