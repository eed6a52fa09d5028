using System.Text.RegularExpressions;
using ApexShop.Events;
using ApexShop.TestKit;

namespace ApexShop.Shared.Tests.Events;

/// <summary>The table of docs/consume-events.md has the commands that send the events of each type.</summary>
public sealed partial class EventTypesTests
{
    private const string Header = "| type, after `apexshop.` | sent by |";

    private static readonly List<string> rows =
        [.. Lines("consume-events.md").SkipWhile(line => line != Header).Skip(2).TakeWhile(line => line != "")];

    [Fact]
    public void Every_type_has_a_row() =>
        rows.Select(row => "apexshop." + row.Split('`')[1]).ShouldBe(
            EventTypes.All.Select(type => type.Name), ignoreOrder: true);

    [Fact]
    public void Every_command_that_changes_the_shop_is_in_a_row()
    {
        var commands = Lines("commands.md").Select(line => Endpoint().Match(line)).Where(match => match.Success)
            .Select(match => match.Groups[1].Value).Where(one => !one.Contains(" /admin/", StringComparison.Ordinal));

        rows.SelectMany(row => Command().Matches(row).Select(match => match.Value)).Distinct()
            .ShouldBe(commands, ignoreOrder: true);
    }

    private static string[] Lines(string page) => File.ReadAllLines(Path.Combine(Repository.Root, "docs", page));

    [GeneratedRegex(@"^\| ((POST|PUT|PATCH|DELETE) /[^ ]+) \|")]
    private static partial Regex Endpoint();

    [GeneratedRegex("(POST|PUT|PATCH|DELETE) /[^ ,;]+")]
    private static partial Regex Command();
}
