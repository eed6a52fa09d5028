using ApexShop.TestKit;
using ApexShop.TestKit.Comparison;
using ApexShop.TestKit.Packages;
using ApexShop.TestKit.Pages;

namespace ApexShop.Client.Tests.Tutorials;

/// <summary>The pages of docs/tutorials, executed from their first to their last block.</summary>
public sealed class TutorialTests(TutorialShop running) : IClassFixture<TutorialShop>, IDisposable
{
    private readonly PageRunner runner = new();

    public void Dispose() => runner.Dispose();

    [Fact]
    public Task A_page_that_sells_is_built() => RunAsync("build-a-page.md");

    [Fact]
    public async Task A_page_whose_customer_was_signed_in_for_too_long_shows_the_form()
    {
        var parts = await PagePart.ReadAsync("tutorials", "build-a-page.md");
        var ended = parts.TakeWhile(part => part.File != "server.mjs").Where(part => !part.IsExpectation).ToList();
        var server = parts.Single(part => part.File == "server.mjs");
        ended.Add(server with { Text = Replace(server.Text, "shop.as(token)", "shop.as('customer_ended')") });
        ended.Add(new("bash", "", """
            node server.mjs & page=http://localhost:$PORT
            for path in orders buy; do
              curl -s --retry 9 --retry-connrefused "$page/sign-in" -c cookies \
                -d "email=$CUSTOMER_EMAIL&password=$CUSTOMER_PASSWORD"
              [ $path = orders ] || form='-d product=1&key=1'
              for attempt in 1 2; do
                curl -sS -b cookies "$page/$path" ${form:-} | grep -c 'name="password"' || true
              done
            done
            """ + "\n"));
        ended.Add(new("text", "expect", "1\n1\n1\n1\n"));
        await runner.RunAsync(ended, running.Environment());

        static string Replace(string text, string old, string other)
        {
            text.ShouldContain(old);
            return text.Replace(old, other, StringComparison.Ordinal);
        }
    }

    [Fact]
    public Task A_catalogue_is_managed() => RunAsync("manage-a-catalogue.md");

    [Fact]
    public async Task A_service_that_follows_the_events_is_killed_and_keeps_its_table_right()
    {
        runner.Write("nuget.config", Programs.NuGetConfiguration);
        await RunAsync("follow-events.md");

        var expected = await new Database(running.Shop.Database.Superuser).RowsAsync(
            "SELECT id, name, stock FROM shop.products WHERE stock < 5 ORDER BY id");
        expected.Count.ShouldBeGreaterThan(50);
        (await running.Own.RowsAsync("SELECT id, name, stock FROM low_stock ORDER BY id")).ShouldBe(expected);
    }

    [Fact]
    public void Every_tutorial_is_run() => Directory
        .GetFiles(Path.Combine(Repository.Root, "docs", "tutorials")).Select(Path.GetFileName).Order()
        .ShouldBe(["build-a-page.md", "follow-events.md", "manage-a-catalogue.md"]);

    private async Task RunAsync(string page)
    {
        var all = await PagePart.ReadAsync("tutorials", page);
        all.Count.ShouldBeGreaterThan(7);
        await runner.RunAsync(all, running.Environment());
    }
}
