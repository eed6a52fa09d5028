using ApexShop.TestKit.Pages;

namespace ApexShop.Client.Tests.Tutorials;

/// <summary>A page that does not do what it shows is found.</summary>
public sealed class PageRunnerTests
{
    private const string Page = """
        Text with `code`.

        ```js file=lib/number.mjs
        export const number = 7;
        ```

        ```bash
        word=seven
        sleep 60 &
        ```

        ```bash
        echo "$word of $(grep -o '[0-9]' lib/number.mjs)"; printf 'a\nb\nc'
        ```

        ```text expect
        seven … 7
        …
        c
        ```
        """;

    [Fact]
    public Task A_page_is_run_in_one_shell() => RunAsync(Page);

    [Theory]
    [InlineData("word=seven", "word=eight", "eight of 7")]
    [InlineData("seven … 7", "seven … 8", "seven of 7")]
    [InlineData("\n…\nc", "\nc", "seven of 7")]
    [InlineData("word=seven", "ls missing", "missing")]
    [InlineData("word=seven", "word=seven; false", "word=seven")]
    [InlineData("file=lib/number.mjs", "file=number.mjs", "lib/number.mjs")]
    public async Task A_difference_and_a_failure_are_found(string text, string replacement, string shown)
    {
        var failed = await Assert.ThrowsAsync<ShouldAssertException>(
            () => RunAsync(Page.Replace(text, replacement, StringComparison.Ordinal)));
        failed.Message.ShouldContain(shown);
    }

    private static async Task RunAsync(string page)
    {
        using var runner = new PageRunner();
        await runner.RunAsync([.. PagePart.Of(page)], new Dictionary<string, string>());
    }
}
