using System.Text.RegularExpressions;
using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests;

/// <summary>The tables of docs/architecture.md have the floors of eng/Architecture.txt, in the same order.</summary>
public sealed partial class FloorPageTests
{
    private static readonly string[] page = File.ReadAllLines(Path.Combine(Repository.Root, "docs", "architecture.md"));

    [Theory]
    [InlineData("Shared")]
    [InlineData("Commands.Api")]
    [InlineData("Projector")]
    [InlineData("Queries.Api")]
    public void The_page_has_the_floors(string project) => Floors(page, project)
        .ShouldBe(FloorTable.Projects[project].Lines.Select(line => string.Join(", ", line.Folders.Order())));

    [Fact]
    public void The_floors_of_a_table_are_its_first_cells_in_any_order_of_the_folders() => Floors(
        [
            "| floor of Planted, from the top | what it contains |", "|---|---|", "| Hosting | composition |",
            "| Json, Events | contracts |", "", "| floor of Other, from the top | what it contains |", "| Limits | |",
        ],
        "Planted").ShouldBe(["Hosting", "Events, Json"]);

    private static IEnumerable<string> Floors(IEnumerable<string> lines, string project) => lines
        .SkipWhile(line => !line.StartsWith($"| floor of {project}, ", StringComparison.Ordinal)).Skip(1)
        .TakeWhile(line => line.StartsWith('|'))
        .Select(line => FirstCell().Match(line)).Where(cell => cell.Success)
        .Select(cell => string.Join(", ", cell.Groups[1].Value.Split(", ").Order()));

    [GeneratedRegex(@"^\| ([^|]+) \|")]
    private static partial Regex FirstCell();
}
