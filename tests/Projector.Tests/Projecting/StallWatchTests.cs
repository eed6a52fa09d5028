using ApexShop.Projector.Tests.Harness;
using Npgsql;

namespace ApexShop.Projector.Tests.Projecting;

public sealed class StallWatchTests(ReadStore store) : ProjectorTest(store)
{
    [Fact]
    public async Task Events_whose_messages_do_not_arrive_are_read_from_the_log_at_the_second_check()
    {
        History.Category(1, "Books");
        for (var i = 0; i < 3; i++) History.Product(10 + i, "Pen", category: 1);

        await CheckAsync();
        (await ProductsAsync()).ShouldBe(0, "their messages may be on the way");
        await CheckAsync();
        (await ProductsAsync()).ShouldBe(3);
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
    }

    [Fact]
    public async Task Later_events_are_read_at_the_next_check()
    {
        History.Product(10, "Late");
        await CheckAsync();
        await CheckAsync();

        History.Product(11, "Later");
        await CheckAsync();

        (await ProductsAsync()).ShouldBe(2);
    }

    [Fact]
    public async Task A_check_ends_while_the_log_goes_on()
    {
        History.Product(1, "Late");
        await CheckAsync();
        var id = 2;
        History.BeforeAnswer = () =>
        {
            History.Product(id++, "Meanwhile");
            return Task.CompletedTask;
        };

        await CheckAsync().WaitAsync(TimeSpan.FromSeconds(10));

        (await ProductsAsync()).ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task A_resource_that_fails_does_not_keep_the_others_from_being_read()
    {
        History.Category(1, "Books");
        History.Product(10, "Pen", category: 1);
        await Store.ExecuteAsync("REVOKE INSERT ON read.categories FROM projector");
        try
        {
            await CheckAsync();
            await Should.ThrowAsync<PostgresException>(CheckAsync);
        }
        finally
        {
            await Store.ExecuteAsync("GRANT INSERT ON read.categories TO projector");
        }

        (await ProductsAsync()).ShouldBe(1);
        await CheckAsync();
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
    }

    [Fact]
    public async Task Nothing_is_read_while_messages_are_applied()
    {
        var first = History.Product(10, "First");
        History.Product(11, "Second");
        await CheckAsync();
        await Projector.ApplyAsync(first);
        await CheckAsync();
        (await ProductsAsync()).ShouldBe(1, "the second is on the way, as the first was");
    }

    [Fact]
    public async Task Nothing_is_read_while_a_message_waits_in_the_process()
    {
        History.Product(10, "In the process");
        Projector.HasDeliveries = true;
        for (var i = 0; i < 3; i++) await CheckAsync();
        (await ProductsAsync()).ShouldBe(0);

        Projector.HasDeliveries = false;
        await CheckAsync();
        (await ProductsAsync()).ShouldBe(1);
    }

    [Fact]
    public async Task After_a_message_events_must_be_late_again()
    {
        History.Product(10, "Late");
        await CheckAsync();
        await CheckAsync();
        await Projector.ApplyAsync(History.Product(11, "By a message"));
        await CheckAsync();

        History.Product(12, "Next");
        await CheckAsync();
        (await ProductsAsync()).ShouldBe(2, "its message may be on the way");
    }

    [Fact]
    public async Task Messages_of_events_that_were_read_are_repeats()
    {
        var category = History.Category(1, "Books");
        var product = History.Product(10, "Pen", category: 1);
        await CheckAsync();
        await CheckAsync();
        var before = await Store.OutcomeAsync();

        await Projector.ApplyAsync(category);
        await Projector.ApplyAsync(product);

        (await Store.OutcomeAsync()).ShouldBe(before);
    }

    private Task CheckAsync() => Projector.Stalls.CheckAsync(CancellationToken.None);

    private Task<long> ProductsAsync() => Store.ScalarAsync<long>("SELECT count(*) FROM read.products");
}
