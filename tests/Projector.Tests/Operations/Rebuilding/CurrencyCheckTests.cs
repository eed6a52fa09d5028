using ApexShop.Operations;
using ApexShop.Projector.Tests.Harness;

namespace ApexShop.Projector.Tests.Operations.Rebuilding;

/// <summary>A Projector that starts with another currency than the documents have.</summary>
public sealed class CurrencyCheckTests(ReadStore store) : RebuildingTest(store)
{
    [Fact]
    public async Task All_documents_are_rebuilt_once_with_the_new_currency()
    {
        await FillAsync();
        await using var euros = new TestProjector(Store.Database.Projector, History, currency: "EUR");
        // A document of each kind in the new currency must not hide the others.
        await euros.ApplyAsync(History.Category(1, "In euros"));
        await euros.ApplyAsync(History.User(1, "Ada", "King"));
        await euros.ApplyAsync(History.Product(1, "In euros"));
        await euros.ApplyAsync(History.Order(3, 1, "Pending", (1, 1, 5m)));
        await euros.ApplyAsync(History.Review(4, 2, 2, 1));

        (await euros.Currency.RunAsync(CancellationToken.None)).ShouldBeFalse();
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.rebuilds")).ShouldBe(1);
        await euros.Rebuilder.RunNextAsync(CancellationToken.None);

        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries, "EUR").Documents());
        (await euros.Record.ReadAsync(CancellationToken.None)).Cause!.ShouldContain("Shop:Currency is EUR");
        (await euros.Currency.RunAsync(CancellationToken.None)).ShouldBeTrue();
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.rebuilds")).ShouldBe(1);
    }

    [Fact]
    public async Task A_rebuild_that_failed_is_begun_again()
    {
        await FillAsync();
        await using var euros = new TestProjector(Store.Database.Projector, History, currency: "EUR");
        await euros.Currency.RunAsync(CancellationToken.None);
        History.Available = false;
        await euros.Rebuilder.RunNextAsync(CancellationToken.None);
        (await euros.Record.ReadAsync(CancellationToken.None)).State.ShouldBe(RebuildState.Failed);

        History.Available = true;
        (await euros.Currency.RunAsync(CancellationToken.None)).ShouldBeFalse();
        await euros.Rebuilder.RunNextAsync(CancellationToken.None);

        ShouldBeDone(await euros.Record.ReadAsync(CancellationToken.None), differing: 13);
        (await euros.Currency.RunAsync(CancellationToken.None)).ShouldBeTrue();
    }

    [Fact]
    public async Task Two_Projectors_with_different_currencies_do_not_rebuild_in_turn()
    {
        await FillAsync();
        await using var euros = new TestProjector(Store.Database.Projector, History, currency: "EUR");
        await using var francs = new TestProjector(Store.Database.Projector, History, currency: "CHF");
        foreach (var projector in (TestProjector[])[euros, francs])
        {
            (await projector.Currency.RunAsync(CancellationToken.None)).ShouldBeFalse();
            await projector.Rebuilder.RunNextAsync(CancellationToken.None);
        }

        (await euros.Currency.RunAsync(CancellationToken.None)).ShouldBeTrue();
        (await francs.Currency.RunAsync(CancellationToken.None)).ShouldBeTrue();
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.rebuilds")).ShouldBe(2);
    }

    [Fact]
    public async Task Documents_from_before_there_was_a_currency_are_rebuilt()
    {
        await FillAsync();
        await Store.ExecuteAsync("UPDATE read.checkpoints SET currency = NULL");

        (await Projector.Currency.FindOtherAsync(CancellationToken.None))!.ShouldContain("have no currency");
        await Projector.RebuildAsync();
        (await Projector.Currency.FindOtherAsync(CancellationToken.None)).ShouldBeNull();
    }

    [Fact]
    public async Task Documents_in_the_currency_of_the_shop_and_an_empty_shop_are_not_rebuilt()
    {
        (await Projector.Currency.FindOtherAsync(CancellationToken.None)).ShouldBeNull();
        await FillAsync();
        (await Projector.Currency.FindOtherAsync(CancellationToken.None)).ShouldBeNull();
    }

    [Fact]
    public async Task With_the_setting_off_another_currency_is_only_reported()
    {
        await FillAsync();
        await using var euros = new TestProjector(Store.Database.Projector, History, currency: "EUR");
        euros.Rebuilding.AfterRestore = false;
        (await euros.Currency.RunAsync(CancellationToken.None)).ShouldBeTrue();
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.rebuilds")).ShouldBe(0);
    }
}
