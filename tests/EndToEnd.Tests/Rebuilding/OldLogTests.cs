using ApexShop.EndToEnd.Tests.Auditing;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Rebuilding;

/// <summary>A shop whose log has lost the events that later ones replace.</summary>
public sealed class OldLogTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>
{
    [Fact]
    public async Task Documents_are_rebuilt_audited_and_kept_up_to_date_from_what_the_log_still_has()
    {
        var traffic = await Traffic.PrepareAsync(Shop, products: 30, users: 5, stock: 1000);
        for (var i = 0; i < 150; i++) await traffic.AnythingAsync(new Random(i));
        await State.ProjectedAsync();
        await Shop.Projector.KillAsync();
        for (var i = 150; i < 300; i++) await traffic.AnythingAsync(new Random(i));
        await State.Database.RowsAsync("UPDATE read.checkpoints SET position = 0, event_id = NULL");
        var events = await CountAsync();
        await OldLog.CompactAsync(Shop);
        (await CountAsync()).ShouldBeLessThan(events);

        // It lacks events of which the broker has messages, and the first ones, of which the log has lost some.
        Shop.Projector.Start();
        await Shop.Projector.ReadyAsync();
        for (var i = 300; i < 350; i++) await traffic.AnythingAsync(new Random(i));
        await State.ProjectedAsync();
        await State.DocumentsEqualTablesAsync();

        (await Shop.RebuildAsync()).ShouldBeDone();
        await State.DocumentsEqualTablesAsync();
        (await ShopAudit.RunAsync(Shop)).Different.ShouldBe(0);
    }

    private Task<long> CountAsync() => State.Database.ScalarAsync<long>("SELECT count(*) FROM shop.events");
}
