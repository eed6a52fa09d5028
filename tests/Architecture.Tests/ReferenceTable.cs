using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests;

/// <summary>What one project may use.</summary>
internal sealed record AllowedUses(string Project, string[] Projects)
{
    public List<(string Prefix, string? Room)> Packages { get; } = [];

    public List<string> Never { get; } = [];

    /// <summary>What the names of its rooms stand in; contracts are named by what they are and not by where they lie.</summary>
    public string Namespace => Project == "Shared" ? "ApexShop" : $"ApexShop.{Project}";

    public bool Allows(string name) => Packages.Any(package => Starts(name, package.Prefix));

    /// <summary>The only room that may use it, or null where all may.</summary>
    public string? RoomOf(string name) => Packages.FirstOrDefault(package => Starts(name, package.Prefix)).Room;

    public static bool Starts(string name, string prefix) =>
        name == prefix || name.StartsWith(prefix + ".", StringComparison.Ordinal);
}

/// <summary>Reads eng/Architecture.txt.</summary>
internal static class ReferenceTable
{
    public static IReadOnlyDictionary<string, AllowedUses> Projects { get; } =
        Parse(File.ReadLines(Path.Combine(Repository.Root, "eng", "Architecture.txt"))).ToDictionary(one => one.Project);

    public static List<AllowedUses> Parse(IEnumerable<string> lines)
    {
        var projects = new List<AllowedUses>();
        foreach (var line in lines.Where(line => line.Length > 0 && line[0] != '#'))
        {
            var words = line.Split([' ', ',', ':'], StringSplitOptions.RemoveEmptyEntries);
            switch (words)
            {
                case ["project", var name, .. var references]: projects.Add(new AllowedUses(name, references)); break;
                case ["uses", var prefix]: projects[^1].Packages.Add((prefix, null)); break;
                case ["uses", var prefix, "in", var room]: projects[^1].Packages.Add((prefix, room)); break;
                case ["never", var name]: projects[^1].Never.Add(name); break;
                default: throw new FormatException($"eng/Architecture.txt: {line}");
            }
        }

        return projects;
    }
}
