namespace ApexShop.Architecture.Tests;

internal static class Violations
{
    /// <summary>Fails with one violation a line: a comparison of two lists would hide most of them.</summary>
    public static void ShouldBeNone(this IEnumerable<string> violations)
    {
        if (string.Join('\n', violations) is { Length: > 0 } text) Assert.Fail(text);
    }
}
