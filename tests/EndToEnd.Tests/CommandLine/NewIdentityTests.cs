using System.Net;
using System.Text.RegularExpressions;
using ApexShop.EndToEnd.Tests.Rebuilding;
using ApexShop.Resources;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>The verb for a restore that the shop cannot detect.</summary>
public sealed partial class NewIdentityTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>
{
    [Fact]
    public async Task The_log_gets_another_identity_consumers_begin_again_and_the_documents_are_rebuilt()
    {
        await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Before"));
        await State.ProjectedAsync();
        var before = await IdentityAsync("events");
        (await IdentityAsync("events", "identity")).ShouldBe(before);
        var epoch = await Shop.EpochAsync();

        var renewed = await IdentityAsync("events", "new-identity");

        renewed.ShouldNotBe(before);
        (await IdentityAsync("events", "identity")).ShouldBe(renewed);
        using (var response = await Shop.Commands.Http.GetAsync($"/events?after=1&log={before}"))
            response.StatusCode.ShouldBe(HttpStatusCode.Gone);
        (await State.Database.ScalarAsync<long>(
            "SELECT count(*) FROM shop.operator_actions WHERE action = 'RenewLogIdentity'")).ShouldBe(1);
        await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("After"));
        await Eventually.Holds(
            async () => await Shop.EpochAsync() > epoch
                && await State.Database.ScalarAsync<string>("SELECT log_id FROM read.projection_state") == renewed,
            "the documents are of the log with this identity", TimeSpan.FromMinutes(1));
        await State.ProjectedAsync();
        await State.DocumentsEqualTablesAsync();
    }

    private async Task<string> IdentityAsync(params string[] verb)
    {
        var text = await Shop.VerbAsync(verb);
        var id = Printed().Match(text);
        id.Success.ShouldBeTrue(text);
        return id.Groups[1].Value;
    }

    [GeneratedRegex(@"^The event log has the identity ([0-9a-f]{12})\b")]
    private static partial Regex Printed();
}
