using ApexShop.Resources;
using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests;

/// <summary>The folders of one project from the top to the bottom.</summary>
internal sealed record Floors(string Project)
{
    /// <summary>The floors from the top; a floor that is together has folders that may use each other.</summary>
    public List<(string[] Folders, bool Together)> Lines { get; } = [];

    /// <summary>A type that may use folders above its own, such as a DbContext that lists the aggregates.</summary>
    public List<(string Type, string[] Folders)> Exceptions { get; } = [];

    public IEnumerable<string> Folders => Lines.SelectMany(line => line.Folders);

    /// <summary>True where a type of one folder may use a type of the other folder.</summary>
    public bool Allows(string from, string to) =>
        from == to || LineOf(from) < LineOf(to) || Lines.Any(line => line.Together && line.Folders.Contains(from)
            && line.Folders.Contains(to));

    public bool Excepts(string type, string to) =>
        Exceptions.Any(exception => exception.Type == type && exception.Folders.Contains(to));

    // The project's root (Program) is above all floors.
    private int LineOf(string folder) => Lines.FindIndex(line => line.Folders.Contains(folder));
}

/// <summary>Reads the floors of each project from eng/Architecture.txt.</summary>
internal static class FloorTable
{
    public static IReadOnlyDictionary<string, Floors> Projects { get; } =
        Parse(File.ReadLines(Path.Combine(Repository.Root, "eng", "Architecture.txt")))
            .ToDictionary(one => one.Project);

    private static string[] Resources =>
        [.. Resource.Names.Select(name => char.ToUpperInvariant(name[0]) + name[1..])];

    public static List<Floors> Parse(IEnumerable<string> lines)
    {
        var projects = new List<Floors>();
        foreach (var line in lines.Where(IsFloor))
        {
            var words = line.Split([' ', ',', ':'], StringSplitOptions.RemoveEmptyEntries);
            switch (words)
            {
                case ["floors", var project]: projects.Add(new Floors(project)); break;
                case ["together", "resources"]: projects[^1].Lines.Add((Resources, true)); break;
                case ["together", .. var folders]: projects[^1].Lines.Add((folders, true)); break;
                case ["except", var type, .. var folders]: projects[^1].Exceptions.Add((type, folders)); break;
                default: projects[^1].Lines.Add((words, false)); break;
            }
        }

        return projects;
    }

    /// <summary>A line that belongs to the floors: their heading, or an indented line.</summary>
    public static bool IsFloor(string line) =>
        line.StartsWith("floors ", StringComparison.Ordinal) || (line.Length > 0 && line[0] == ' ');
}
