using System.Globalization;
using ApexShop.Resources;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>The archive of a log from which old events are removed.</summary>
public sealed class RemovedEventsArchiveTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>
{
    private readonly ArchiveFolder folder = new(running.Shop);

    [Fact]
    public async Task Events_that_were_removed_before_are_named_and_an_archive_begins_after_them()
    {
        var category = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("First"));
        await State.ProjectedAsync();
        await folder.AddAsync();
        for (var i = 0; i < 3; i++)
            await Client.ReplaceAsync(Resource.Categories.Name, category.Id, Bodies.Category($"Name {i}"));
        await State.ProjectedAsync();
        var removed = (await folder.LogAsync()).Count - 1;
        await OldLog.CompactAsync(Shop);

        await folder.RefusedAsync(ArchiveFolder.Archive, $"--after {removed}\n");

        var other = folder.At("other");
        var (exitCode, _, error) = await Shop.ScriptAsync(ArchiveFolder.Archive, other, "--after", $"{removed}");
        exitCode.ShouldBe(0, error);
        (await Shop.VerbAsync("events", "verify", other)).ShouldContain(
            string.Create(CultureInfo.InvariantCulture, $"events {removed + 1} to {removed + 1} without"));
        folder.Dispose();
    }
}
