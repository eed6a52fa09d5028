using ApexShop.Resources;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>The lines that `up` prints work at once, in an empty shop too.</summary>
public sealed class FirstRequestTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>
{
    [Fact]
    public async Task The_printed_lines_read_the_product_that_they_create()
    {
        (await PastedAsync()).ShouldContain("/categories -H");

        var other = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Books"));
        await Client.SeesAsync(Resource.Categories.Name, other.Id, category => (string)category["name"]! == "Books");
        var lines = await PastedAsync();
        lines.ShouldNotContain("/categories -H");
        lines.ShouldNotContain($"\"categoryId\":{other.Id}}}", Case.Sensitive, "a desk is no book");
    }

    [Fact]
    public async Task The_storefront_and_the_console_are_listed()
    {
        var (_, printed, error) = await Shop.ScriptAsync("print_addresses");
        error.ShouldBeEmpty();
        printed.ShouldContain($"storefront  {Shop.Queries.Url}");
        printed.ShouldContain($"console     {Shop.Commands.Url}console");
    }

    // Runs the lines as they are pasted; what they are.
    private async Task<string> PastedAsync()
    {
        var (_, lines, _) = await Shop.ScriptAsync("first_requests");
        var (exitCode, printed, error) = await Shop.ScriptAsync("eval \"$1\"", lines);
        exitCode.ShouldBe(0, lines + error);
        var responses = printed.Trim().Split('\n');
        responses[^2].ShouldStartWith("{\"data\":[", Case.Sensitive, printed);
        responses[^1].ShouldContain("\"name\":\"Walnut desk\"", Case.Sensitive, printed);
        return lines;
    }
}
