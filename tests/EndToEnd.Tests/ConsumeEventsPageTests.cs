using System.Text.RegularExpressions;
using ApexShop.TestKit;
using ApexShop.TestKit.Pages;
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
        var parts = await PagePart.ReadAsync("consume-events.md");
        var commands = parts
            .SelectMany(part => part.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries))
            .Select(line => new PagePart("bash", "", $"{line}\n"))
            .ToList();
        commands.Count.ShouldBeGreaterThan(6);

        using var runner = new PageRunner();
        var answers = await runner.RunAsync(commands, new Dictionary<string, string>
        {
            ["COMMANDS_URL"] = Shop.Commands.Url.ToString().TrimEnd('/'), ["EVENTS_KEY"] = TestKeys.Events,
        });
        foreach (var (command, answer) in commands.Zip(answers))
        {
            if (command.Text.StartsWith("last=", StringComparison.Ordinal)) continue;
            Answer().IsMatch(answer).ShouldBeTrue($"{command.Text}\n{answer}");
        }
    }

    [GeneratedRegex("\"specversion\":\"1.0\"|Log-Head: [1-9]|\"asyncapi\":\"3.0.0\"")]
    private static partial Regex Answer();
}
