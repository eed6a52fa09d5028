using ApexShop.Projector.Documents;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Operations.Auditing;
using ApexShop.Projector.Projecting;
using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;

namespace ApexShop.Projector.Tests.Operations.Parking;

/// <summary>
/// Logs that end before the documents: of an empty write database, or of a server that was replaced.
/// </summary>
public sealed class EarlierLogTests(ReadStore store) : ProjectorTest(store)
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Documents_are_not_healed_or_repaired_from_a_log_that_ends_before_them(bool isEmpty)
    {
        await Projector.ApplyAsync(History.Category(1, "Books"));
        await Projector.ApplyAsync([.. Enumerable.Range(1, 3).Select(id => History.Product(id, $"Pen {id}"))]);
        var last = History.Product(3, "Quill");
        await Projector.ApplyAsync(last);
        History.Forget(last);
        using var empty = new EventHistory();
        await using var projector = new TestProjector(Store.Database.Projector, isEmpty ? empty : History);
        await using var database = ReadDatabase.Create(Store.Database.Projector);
        var repairer = new Repairer(database, new Projections("USD"), projector.Healer, projector.Tags);
        var before = await Store.DocumentsAsync();

        await Should.ThrowAsync<EventLogException>(
            () => projector.Healer.HealAsync(Resource.Products.Name, [3], CancellationToken.None));
        await Should.ThrowAsync<EventLogException>(
            () => repairer.RepairRowsAsync(Resource.Products.Name, [2, 3], CancellationToken.None));

        (await Store.DocumentsAsync()).ShouldBe(before);
    }
}
