using System.Text.RegularExpressions;

namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>One place parses the arguments of every verb; nothing runs before they are found valid.</summary>
public sealed partial class ArgumentTests : IDisposable
{
    private readonly ScriptCopy script = new();

    public static TheoryData<string> Verbs => [.. ScriptCopy.Verbs];

    /// <summary>Every option that needs a value, after its verb or its verb and command.</summary>
    public static TheoryData<string> OptionsWithValues => [.. WithValues];

    private static List<string> WithValues =>
        [.. OptionWithValue().Matches(ScriptCopy.Table).Select(match => $"{match.Groups[1]} {match.Groups[2]}")];

    public void Dispose() => script.Dispose();

    [Fact]
    public void There_are_verbs() => ScriptCopy.Verbs.Count.ShouldBeGreaterThan(15);

    [Theory]
    [MemberData(nameof(Verbs))]
    public async Task Help_of_a_verb_is_printed_and_nothing_is_done(string verb)
    {
        var before = script.State;
        foreach (var option in (string[])["--help", "-h"])
        {
            var help = await script.RunAsync(verb, option);
            help.ExitCode.ShouldBe(0, help.Error);
            help.Output.ShouldStartWith($"usage: ./apexshop {verb}");
            help.Error.ShouldBeEmpty();
        }

        script.State.ShouldBe(before);
    }

    [Theory]
    [MemberData(nameof(Verbs))]
    public async Task An_unknown_option_is_refused_with_the_options_of_the_verb(string verb)
    {
        var before = script.State;
        var options = Options().Matches((await script.RunAsync(verb, "--help")).Output).Select(match => match.Value);
        var refused = await script.RunAsync(verb, "--unknown");
        refused.ExitCode.ShouldBe(2, refused.Output + refused.Error);
        refused.Error.ShouldContain($"{verb} has no option '--unknown'");
        foreach (var option in options) refused.Error.ShouldContain(option);
        script.State.ShouldBe(before);
    }

    [Fact]
    public async Task The_help_and_the_completion_have_every_verb()
    {
        var help = await script.RunAsync();
        help.ExitCode.ShouldBe(0);
        ListedVerb().Matches(help.Output.Split("First steps")[0]).Select(match => match.Groups[1].Value)
            .Order(StringComparer.Ordinal).ShouldBe(ScriptCopy.Verbs);

        (await CompleteAsync("")).Order(StringComparer.Ordinal).ShouldBe(ScriptCopy.Verbs);
        (await CompleteAsync("re")).ShouldBe(["restart", "rebuild", "restore", "report"], ignoreOrder: true);
        (await CompleteAsync("up", "--")).ShouldBe(["--no-seed", "--scale", "--cluster", "--help"], ignoreOrder: true);
        (await CompleteAsync("dlq", "re")).ShouldBe(["replay"]);
        (await CompleteAsync("test", "m")).ShouldBe(["mutations"]);
        (await CompleteAsync("stop", "r")).ShouldBe(["rabbitmq", "redis"]);
    }

    [Theory]
    [InlineData("nothing")]
    [InlineData("restart")]
    [InlineData("restart a b")]
    [InlineData("up more")]
    [InlineData("up --no-seed=1")]
    [InlineData("load --rate")]
    [InlineData("backup ")]
    [InlineData("dlq show")]
    [InlineData("dlq other")]
    [InlineData("dlq discard --dry-run products/17")]
    [InlineData("erase")]
    [InlineData("erase 17 users/18")]
    [InlineData("erase 0")]
    [InlineData("erase 2147483648")]
    [InlineData("events archive")]
    [InlineData("events archive folder --after -1")]
    [InlineData("events archive folder --after x")]
    [InlineData("events archive folder --keep-days 0")]
    [InlineData("events list")]
    [InlineData("events verify folder --after 1")]
    [InlineData("bench other")]
    [InlineData("rebuild other")]
    [InlineData("completion zsh")]
    [InlineData("seed many")]
    [InlineData("help other")]
    [InlineData("test one two")]
    public async Task Wrong_arguments_are_refused(string arguments)
    {
        var before = script.State;
        var refused = await script.RunAsync(arguments.Split(' '));
        refused.ExitCode.ShouldBe(2, refused.Output + refused.Error);
        refused.Error.ShouldContain("./apexshop");
        script.State.ShouldBe(before);
    }

    [Fact]
    public void There_are_options_with_values() =>
        WithValues.Intersect(["load --seconds", "report --rate"]).Count().ShouldBe(2);

    [Theory]
    [MemberData(nameof(OptionsWithValues))]
    public async Task Another_option_is_not_taken_for_a_value(string option)
    {
        var before = script.State;
        foreach (var value in (string[])["--help", "-1", ""])
        {
            var refused = await script.RunAsync([.. option.Split(' '), value]);
            refused.ExitCode.ShouldBe(2, refused.Output + refused.Error);
            refused.Error.ShouldContain($"{option.Split(' ')[^1]} needs a value");
        }

        script.State.ShouldBe(before);
    }

    [Theory]
    [InlineData("up --scale", "up|yes||")]
    [InlineData("up --scale commands=2 --no-seed", "up|commands=2||")]
    [InlineData("up --no-seed --scale=queries=3", "up|queries=3||")]
    [InlineData("dlq", "dlq list|||")]
    [InlineData("dlq replay products/17 --dry-run", "dlq replay||yes|products/17")]
    [InlineData("dlq --dry-run replay all", "dlq replay||yes|all")]
    [InlineData("erase 17 --files 18", "erase|||17 18")]
    [InlineData("events", "events identity|||")]
    [InlineData("events verify folder", "events verify|||folder")]
    [InlineData("bench queries pages start", "bench queries|||pages start")]
    [InlineData("bench micro *Json* -- --job short", "bench micro|||*Json* --job short")]
    [InlineData("bench", "bench visibility|||")]
    [InlineData("test -- --odd", "test|||--odd")]
    [InlineData("test", "test|||")]
    [InlineData("test Projector", "test|||Projector")]
    [InlineData("test mutations", "test mutations|||")]
    [InlineData("test mutations outbox tags", "test mutations|||outbox tags")]
    public async Task Arguments_are_parsed(string arguments, string parsed)
    {
        var result = await script.CallAsync($$"""
            set -f
            parse_arguments {{arguments}}
            printf '%s|%s|%s|%s' "$SCOPE" "$OPTION_SCALE" "$OPTION_DRY_RUN" "${OPERANDS[*]-}"
            """);
        result.Error.ShouldBeEmpty();
        result.Output.ShouldBe(parsed);
    }

    [Fact]
    public async Task One_setting_moves_all_ports()
    {
        const string statements = """
            export APEXSHOP_PORT_BASE=30000 APEXSHOP_REDIS_PORT=6000
            load_settings
            for name in $SERVER_PORTS $PROCESS_PORTS; do echo "${!name}"; done
            """;
        var ports = (await script.CallAsync(statements)).Output.Trim().Split('\n').Select(int.Parse).ToList();
        ports.Distinct().Count().ShouldBe(8);
        ports.Where(port => port is < 30000 or > 30039).ShouldBe([6000]);

        var wrong = await script.CallAsync("export APEXSHOP_PORT_BASE=65530\nload_settings\necho not reached");
        (wrong.ExitCode, wrong.Output).ShouldBe((1, ""));
        wrong.Error.ShouldContain("APEXSHOP_PORT_BASE");
    }

    private async Task<string[]> CompleteAsync(params string[] words)
    {
        var all = string.Join(' ', words.Select(word => $"'{word}'"));
        var result = await script.CallAsync($$"""
            source <(bash "$ROOT/apexshop" completion bash)
            COMP_WORDS=(./apexshop {{all}}) COMP_CWORD={{words.Length}}
            _apexshop
            echo "${COMPREPLY[*]}"
            """);
        result.Error.ShouldBeEmpty();
        return result.Output.Trim().Split(' ');
    }

    [GeneratedRegex(@"^([a-z -]*[a-z]) *\| (--[a-z-]+) [A-Z]", RegexOptions.Multiline)]
    private static partial Regex OptionWithValue();

    [GeneratedRegex(@"^  --[a-z-]+", RegexOptions.Multiline)]
    private static partial Regex Options();

    [GeneratedRegex(@"^  \./apexshop ([a-z]+) ", RegexOptions.Multiline)]
    private static partial Regex ListedVerb();
}
