namespace ApexShop.Load.ReadSide;

/// <summary>Paths that are requested without and with the Accept-Encoding of browsers.</summary>
internal sealed class CodedPaths(Paths plain, Paths coded) : IDisposable
{
    /// <summary>The header of the requests that accept compressed responses.</summary>
    public const string Header = "Accept-Encoding: br, gzip";

    private int turn;

    /// <summary>The least length of a body is that of responses that are not compressed.</summary>
    public static async Task<CodedPaths> OfAsync(
        Uri server, IReadOnlyList<string> paths, int leastBody, CancellationToken ct) => new(
        await Paths.OfAsync(server, paths, leastBody, ct),
        await Paths.OfAsync(server, paths, 1, ct, Header));

    /// <summary>Each for two turns, so that each is measured both before and after the control.</summary>
    public Paths Next() => (turn++ & 2) == 0 ? plain : coded;

    public void Dispose()
    {
        plain.Dispose();
        coded.Dispose();
    }
}
