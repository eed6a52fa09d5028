using System.Text.Json;

namespace ApexShop.TestKit;

/// <summary>A configuration file with one API key, which a test changes while processes have it open.</summary>
/// <param name="at">The place of the key among those of all files.</param>
public sealed class KeyFile(string at = "50") : IDisposable
{
    public string Path { get; } = System.IO.Path.Combine(System.IO.Path.GetTempPath(), $"keys-{Guid.NewGuid():N}.json");

    /// <summary>Replaces the key and its scopes; its name is the key itself.</summary>
    public void Write(string key, params string[] scopes)
    {
        var entry = new { Name = key, Sha256 = TestKeys.HashOf(key), Scopes = scopes };
        var access = new { Keys = new Dictionary<string, object> { [at] = entry } };
        File.WriteAllText(Path, JsonSerializer.Serialize(new { Access = access }));
    }

    public void Dispose() => File.Delete(Path);
}
