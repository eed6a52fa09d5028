using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests;

/// <summary>The projects, packages and namespaces that one project may use.</summary>
internal sealed record AllowedUses(string Project, string[] Projects)
{
    public List<(string Prefix, string? Folder)> Packages { get; } = [];

    public List<string> Never { get; } = [];

    /// <summary>The namespace of its folders; a contract of Shared has no project in its name.</summary>
    public string Namespace => Project == "Shared" ? "ApexShop" : $"ApexShop.{Project}";

    public bool Allows(string name) => Packages.Any(package => Starts(name, package.Prefix));

    /// <summary>The only folder that may use a package, or null where all folders may.</summary>
    public string? FolderOf(string name) => Packages.FirstOrDefault(package => Starts(name, package.Prefix)).Folder;

    public static bool Starts(string name, string prefix) =>
        name == prefix || name.StartsWith(prefix + ".", StringComparison.Ordinal);
}

/// <summary>Reads what each project may use from eng/Architecture.txt.</summary>
internal static class ReferenceTable
{
    public static IReadOnlyDictionary<string, AllowedUses> Projects { get; } =
        Parse(File.ReadLines(Path.Combine(Repository.Root, "eng", "Architecture.txt")))
            .ToDictionary(one => one.Project);

    public static List<AllowedUses> Parse(IEnumerable<string> lines)
    {
        var projects = new List<AllowedUses>();
        foreach (var line in lines.Where(line => line.Length > 0 && line[0] != '#' && !FloorTable.IsFloor(line)))
        {
            var words = line.Split([' ', ',', ':'], StringSplitOptions.RemoveEmptyEntries);
            switch (words)
            {
                case ["project", var name, .. var references]: projects.Add(new AllowedUses(name, references)); break;
                case ["uses", var prefix]: projects[^1].Packages.Add((prefix, null)); break;
                case ["uses", var prefix, "in", var folder]: projects[^1].Packages.Add((prefix, folder)); break;
                case ["never", var name]: projects[^1].Never.Add(name); break;
                default: throw new FormatException($"eng/Architecture.txt: {line}");
            }
        }

        return projects;
    }
}
