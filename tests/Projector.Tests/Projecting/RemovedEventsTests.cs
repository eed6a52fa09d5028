using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;

namespace ApexShop.Projector.Tests.Projecting;

/// <summary>A log whose old events were removed where later ones replace them.</summary>
public sealed class RemovedEventsTests(ReadStore store) : ProjectorTest(store)
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task A_hole_is_filled_with_what_the_log_still_has(int seed)
    {
        var random = new Random(seed);
        for (var i = 0; i < 300; i++) Change(random);
        foreach (var entries in History.Entries.Take(40).GroupBy(entry => entry.Resource).ToList())
            await Projector.ApplyAsync(entries);
        History.Compact(random.Next(100, 300));
        for (var i = 0; i < 60; i++) Change(random);

        await Projector.ApplyAsync(History.Order(500, 1, "Pending", (1, 1, 2.5m)));
        await Projector.ApplyAsync(History.User(1, "Ann", "Lee"));

        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
        (await Store.WrongAsidesAsync()).ShouldBe(0);
    }

    private void Change(Random random)
    {
        var id = random.Next(1, 40);
        if (random.Next(8) == 0 && History.Lives(Resource.Orders.Name, id)) History.Delete(Resource.Orders.Name, id);
        else if (random.Next(2) == 0 && !History.IsGone(Resource.Orders.Name, id))
            History.Order(id, random.Next(1, 4), "Pending", (1, 1, random.Next(1, 9)));
        else History.User(random.Next(1, 4), $"First {random.Next(99)}", "Last");
    }
}
