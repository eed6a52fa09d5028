using ApexShop.Caching;
using ApexShop.TestKit;

namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>Reads that are held while a change happens, in one order each time.</summary>
public sealed class ReadsDuringChangesTests(CachedShop shop) : IClassFixture<CachedShop>
{
    private const int Id = 7;

    [Fact]
    public async Task A_document_that_was_read_while_its_tag_was_raised_is_not_served_again()
    {
        await using var locked = await shop.LockAsync("read.products");

        var held = shop.Http.GetStringAsync($"products/{Id}");
        await Eventually.Holds(async () => await shop.WaitingAsync() == 1, "the read is held");
        await shop.Tags.RaiseAsync(shop.App, CacheTags.Document("products", Id));
        await locked.DisposeAsync();
        await held;

        // Only a read of the database finds this: its tag is not raised.
        await shop.RenameAsync("products", Id, "later");
        (await shop.Http.GetStringAsync($"products/{Id}")).ShouldContain("later");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_reader_with_a_token_joins_no_read_from_before_its_change(bool hasFirstToken) => Pump.Run(pump =>
    {
        var clock = new ManualClock();
        var model = new ModelShop(clock);
        var process = new ModelProcess(model, clock);
        List<Task> asked = [process.AskAsync([0], hasFirstToken)];
        pump.Settle();
        Next(process, pump);
        model.Commit(0);
        asked.Add(process.AskAsync([0], isFresh: true));
        pump.Settle();

        while (process.Reads.Count > 0) Next(process, pump);
        // Each reader compares its response with what was committed before it came.
        asked.ShouldAllBe(task => task.IsCompletedSuccessfully);
    });

    private static void Next(ModelProcess process, Pump pump)
    {
        var read = process.Reads[0];
        process.Reads.RemoveAt(0);
        read();
        pump.Settle();
    }
}
