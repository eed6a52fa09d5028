using System.Text.RegularExpressions;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests;

public sealed partial class ConsumeEventsPageTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>
{
    [Fact]
    public async Task The_commands_of_the_page_run_unchanged()
    {
        var traffic = await Traffic.PrepareAsync(Shop, products: 5, users: 2, stock: 100);
        for (var i = 0; i < 10; i++) await traffic.PlaceOrderAsync(new Random(i));
        await State.ProjectedAsync();
        var page = await File.ReadAllTextAsync(Path.Combine(Repository.Root, "docs", "consume-events.md"));
        var commands = Block()
            .Matches(page)
            .SelectMany(block => block.Groups[1].Value.Split('\n', StringSplitOptions.RemoveEmptyEntries))
            .ToList();

        commands.Count.ShouldBeGreaterThan(6);
        // A line may use a variable that an earlier line has set.
        var (before, environment) = (
            "",
            new Dictionary<string, string>
            {
                ["COMMANDS_URL"] = Shop.Commands.Url.ToString().TrimEnd('/'), ["EVENTS_KEY"] = TestKeys.Events,
            });
        foreach (var command in commands)
        {
            using var shell = new ServerProcess("bash", "bash", ["-euc", before + command], environment);
            shell.Start();
            (await shell.ExitAsync(TimeSpan.FromSeconds(30))).ShouldBe(0, $"{command}\n{shell.Tail(20)}");
            if (command.StartsWith("last=", StringComparison.Ordinal))
            {
                before += command + "\n";
                continue;
            }

            await Eventually.Holds(
                () => Answer().IsMatch(shell.Tail(20)), $"{command} shows events, a position or the description");
        }
    }

    [GeneratedRegex("```bash\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex Block();

    [GeneratedRegex("\"specversion\":\"1.0\"|Log-Head: [1-9]|\"asyncapi\":\"3.0.0\"")]
    private static partial Regex Answer();
}
