using System.Text.RegularExpressions;
using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests.Settings;

public sealed partial class SettingsTests
{
    private static readonly IReadOnlyList<(Registration Options, Setting Setting)> settings =
    [
        .. from options in Registrations.All.OrderBy(one => one.Section, StringComparer.Ordinal)
               .ThenBy(one => one.Processes[0], StringComparer.Ordinal)
           from setting in Setting.Of(options.Type, options.Section)
           where !options.FromConnectionStrings.Contains(setting.Member.Name)
           select (options, setting),
    ];

    [Fact]
    public void The_table_of_the_docs_has_every_setting() => DocTable.ShouldBe(
        "settings.md",
        "| setting | what it sets | default | unit | range | process | restart |",
        [.. settings.Select(one => Row(one.Options, one.Setting))]);

    [Fact]
    public void Every_options_class_is_bound_to_its_section_by_a_process()
    {
        Registrations.All.Count.ShouldBeGreaterThan(20);
        Registrations.Declared.Except(Registrations.All.Select(one => one.Type)).ShouldBeEmpty();
        Registrations.All.Where(one => Registration.SectionOf(one.Type) is null).ShouldBeEmpty();
    }

    [Fact]
    public void Every_setting_has_a_summary_and_a_unit()
    {
        settings.Count.ShouldBeGreaterThan(80);
        settings.Select(one => one.Setting)
            .Where(setting => Summaries.Of(setting.Member).Length == 0 || setting.Unit is null)
            .Select(setting => setting.Name).ShouldBeEmpty();
    }

    [Fact]
    public void The_page_names_every_connection_string()
    {
        var page = File.ReadAllText(Path.Combine(Repository.Root, "docs", "settings.md"));
        var names = Sources.Programs.SelectMany(file => ConnectionString().Matches(file.Text))
            .Select(match => $"`ConnectionStrings:{match.Groups[1].Value}`").Distinct().ToList();

        names.Count.ShouldBeGreaterThan(3);
        names.Where(name => !page.Contains(name, StringComparison.Ordinal)).ShouldBeEmpty();
    }

    private static string Row(Registration options, Setting setting) => string.Join(
        " | ",
        $"| `{setting.Name}`", setting.Summary, setting.Default, setting.Unit, setting.Range,
        options.Processes.SequenceEqual(Registrations.Processes) ? "all" : string.Join(", ", options.Processes),
        options.FollowsChanges ? "no |" : "yes |");

    [GeneratedRegex("""(?:GetConnectionString\(|Required\(builder, )"(\w+)"\)""")]
    private static partial Regex ConnectionString();
}
