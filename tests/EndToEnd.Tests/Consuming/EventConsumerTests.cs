using System.Net.Http.Json;
using ApexShop.Resources;
using ApexShop.TestKit;
using Npgsql;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Consuming;

/// <summary>The library with its store for PostgreSQL.</summary>
public sealed class EventConsumerTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>
{
    [Fact]
    public async Task It_begins_with_the_last_event_of_each_aggregate_and_then_applies_every_event()
    {
        var (category, pen, ink) = await ProductsAsync();
        for (var i = 1; i <= 3; i++) await RenameAsync(pen, category, $"Pen {i}");
        await State.ProjectedAsync();
        await using var consumer = await StockConsumer.CreateAsync(Shop);
        consumer.Start();

        await consumer.HasAsync(pen, "Pen 3 1");
        await consumer.HasAsync(ink, "Ink 1");
        for (var i = 4; i <= 6; i++) await RenameAsync(pen, category, $"Pen {i}");
        await consumer.HasAsync(pen, "Pen 6 4");
        await Client.DeleteAsync(Resource.Products.Name, ink);
        await consumer.HasAsync(ink, " 2");
    }

    [Fact]
    public async Task Stopped_in_its_first_read_it_continues_with_the_last_event_of_each_aggregate()
    {
        var (category, pen, _) = await ProductsAsync();
        // More than a page of the log.
        for (var first = 1; first <= 1000; first += 500)
        {
            using var created = await Shop.Commands.Http.PostAsJsonAsync(
                "/products/bulk", Enumerable.Range(first, 500).Select(i => Bodies.Product(category, $"Lamp {i}")));
            created.EnsureSuccessStatusCode();
        }

        await State.ProjectedAsync();
        await using var consumer = await StockConsumer.CreateAsync(Shop);
        Task? stopped = null;
        consumer.Reported = _ => stopped ??= consumer.StopAsync();
        consumer.Refused = "Lamp 900";
        consumer.Start();
        await Eventually.Holds(() => stopped is { IsCompleted: true }, "it has stopped at the lamp");
        for (var i = 1; i <= 3; i++) await RenameAsync(pen, category, $"Pen {i}");
        await State.ProjectedAsync();
        (consumer.Reported, consumer.Refused) = (null, null);
        consumer.Start();

        await Eventually.Holds(
            () => consumer.Reports.Contains("At the end of the log; taking messages."), "the first read has ended");
        await consumer.HasAsync(pen, "Pen 3 2");
        await consumer.StopAsync();
        for (var i = 4; i <= 6; i++) await RenameAsync(pen, category, $"Pen {i}");
        await State.ProjectedAsync();
        consumer.Start();
        await consumer.HasAsync(pen, "Pen 6 5");
    }

    [Fact]
    public async Task Tables_of_an_earlier_version_get_what_they_lack()
    {
        var (category, pen, _) = await ProductsAsync();
        await State.ProjectedAsync();
        await using var consumer = await StockConsumer.CreateAsync(Shop);
        consumer.Start();
        await consumer.HasAsync(pen, "Pen 1");
        await consumer.StopAsync();
        await consumer.ExecuteAsync("ALTER TABLE apexshop_positions DROP COLUMN is_first_read");
        await consumer.Store.CreateTablesAsync();
        consumer.Start();
        await RenameAsync(pen, category, "Pen, later");

        await consumer.HasAsync(pen, "Pen, later 2");
    }

    // Another program may publish anything to the exchange.
    private static readonly string[] unreadable =
    [
        "not JSON", "null", "[null]", "[{}]",
        """[{"logid":"a","sequence":null,"previous":"0","subject":"products/1","type":"t","data":{}}]""",
        """[{"logid":"a","sequence":"99999999999999999999","previous":"0","subject":"products/1","type":"t"}]""",
        """[{"logid":"a","sequence":"1","previous":"0","subject":null,"type":"t","data":{}}]""",
        """[{"logid":"a","sequence":"1","previous":"0","subject":"products","type":"t","data":{}}]""",
    ];

    [Fact]
    public async Task A_repeat_is_skipped_and_events_without_a_message_are_read_from_the_log()
    {
        var (category, pen, ink) = await ProductsAsync();
        await State.ProjectedAsync();
        await using var consumer = await StockConsumer.CreateAsync(Shop);
        consumer.Start();
        await consumer.HasAsync(ink, "Ink 1");
        var repeat = await Shop.Commands.Http.GetByteArrayAsync($"/events?aggregate=products/{ink}");
        await consumer.SendAsync([.. "["u8, .. repeat, .. "]"u8]);
        foreach (var body in unreadable) await consumer.SendAsync(System.Text.Encoding.UTF8.GetBytes(body));
        await consumer.UnbindAsync(Resource.Products.Name);
        await RenameAsync(pen, category, "Pen, without a message");
        await State.ProjectedAsync();
        await consumer.BindAsync(Resource.Products.Name);
        await RenameAsync(ink, category, "Ink, later");

        await consumer.HasAsync(ink, "Ink, later 2");
        await consumer.HasAsync(pen, "Pen, without a message 2");
        consumer.Reports.ShouldBe(["At the end of the log; taking messages."]);
    }

    [Fact]
    public async Task An_event_without_a_message_is_read_from_the_log_though_no_later_message_arrives()
    {
        var (category, pen, ink) = await ProductsAsync();
        await State.ProjectedAsync();
        await using var consumer = await StockConsumer.CreateAsync(Shop);
        consumer.LongestSilence = TimeSpan.FromMilliseconds(200);
        consumer.Start();
        await consumer.HasAsync(ink, "Ink 1");
        await consumer.UnbindAsync(Resource.Products.Name);
        await RenameAsync(pen, category, "Pen, without a message");

        await consumer.HasAsync(pen, "Pen, without a message 2");
        await consumer.BindAsync(Resource.Products.Name);
        await RenameAsync(pen, category, "Pen, with a message");
        await consumer.HasAsync(pen, "Pen, with a message 3");
        consumer.Reports.ShouldBe(["At the end of the log; taking messages."]);
    }

    [Fact]
    public async Task A_silence_may_be_infinite_and_neither_zero_nor_longer_than_a_timer()
    {
        var (category, pen, ink) = await ProductsAsync();
        await using var consumer = await StockConsumer.CreateAsync(Shop);
        foreach (var silence in (TimeSpan[])[TimeSpan.Zero, TimeSpan.FromDays(60)])
        {
            consumer.LongestSilence = silence;
            Should.Throw<ArgumentOutOfRangeException>(() => consumer.Start());
        }

        consumer.LongestSilence = Timeout.InfiniteTimeSpan;
        consumer.Start();
        await consumer.HasAsync(ink, "Ink 1");
        await RenameAsync(pen, category, "Pen, by a message");
        await consumer.HasAsync(pen, "Pen, by a message 2");
    }

    [Fact]
    public async Task Messages_of_one_resource_do_not_hide_that_those_of_another_one_are_lost()
    {
        var (category, pen, ink) = await ProductsAsync();
        await State.ProjectedAsync();
        await using var consumer = await StockConsumer.CreateAsync(Shop, "products", "categories");
        consumer.LongestSilence = TimeSpan.FromSeconds(1);
        consumer.Start();
        await consumer.HasAsync(ink, "Ink 1");
        await consumer.UnbindAsync(Resource.Products.Name);
        await RenameAsync(pen, category, "Pen, without a message");

        await Eventually.Holds(
            async () =>
            {
                await Client.ReplaceAsync(
                    Resource.Categories.Name, category, Bodies.Category($"{Guid.NewGuid():N}"));
                return await consumer.RowsAsync($"SELECT name FROM stock WHERE id = {pen}")
                    is ["Pen, without a message"];
            },
            "the event is read from the log");
    }

    [Fact]
    public async Task A_log_that_is_replaced_while_no_message_arrives_is_read_again()
    {
        var (_, pen, _) = await ProductsAsync();
        await State.ProjectedAsync();
        await using var consumer = await StockConsumer.CreateAsync(Shop);
        consumer.LongestSilence = TimeSpan.FromMilliseconds(200);
        consumer.Start();
        await Eventually.Holds(() => consumer.Reports.Count == 1, "it takes messages");
        await consumer.ExecuteAsync("""
            INSERT INTO stock VALUES (-1, 'of the lost log', 1);
            UPDATE apexshop_positions SET log = 'ffffffffffff'
            """);

        await Eventually.Holds(
            async () => (await consumer.RowsAsync("SELECT id FROM stock WHERE id < 0")) is [], "its data is removed");
        await consumer.HasAsync(pen, "Pen 1");
    }

    [Fact]
    public async Task A_refused_event_and_the_later_ones_of_its_aggregate_are_parked_until_they_are_applied_in_order()
    {
        var (category, pen, ink) = await ProductsAsync();
        await State.ProjectedAsync();
        await using var consumer = await StockConsumer.CreateAsync(Shop);
        consumer.Start();
        await consumer.HasAsync(ink, "Ink 1");
        consumer.Refused = "Poison";
        await RenameAsync(pen, category, "Poison");
        await RenameAsync(pen, category, "Pen, later");
        await RenameAsync(ink, category, "Ink, later");

        await consumer.HasAsync(ink, "Ink, later 2");
        (await ParkedAsync(consumer)).ShouldBe([
            $"products/{pen} Poison: Poison is not supported.",
            $"products/{pen} Pen, later: An earlier event is parked.",
        ]);
        consumer.Reports.Count(line => line.Contains("was refused", StringComparison.Ordinal)).ShouldBe(3);
        await consumer.HasAsync(pen, "Pen 1");
        await Should.ThrowAsync<NotSupportedException>(() => consumer.Parked.RetryAsync($"products/{pen}"));
        (await ParkedAsync(consumer)).Count.ShouldBe(2);
        await consumer.HasAsync(pen, "Pen 1");

        consumer.Refused = null;
        await RenameAsync(pen, category, "Pen, last");
        await Eventually.Holds(async () => (await ParkedAsync(consumer)).Count == 3, "it is parked behind the others");
        (await consumer.Parked.RetryAsync($"products/{pen}")).ShouldBe(3);
        await consumer.HasAsync(pen, "Pen, last 4");
        (await ParkedAsync(consumer)).ShouldBeEmpty();
        await RenameAsync(pen, category, "Pen, live");
        await consumer.HasAsync(pen, "Pen, live 5");
    }

    [Fact]
    public async Task Positions_of_a_log_that_was_replaced_are_removed_with_all_that_was_made_from_it()
    {
        var (category, pen, ink) = await ProductsAsync();
        await State.ProjectedAsync();
        await using var consumer = await StockConsumer.CreateAsync(Shop);
        consumer.Refused = "Ink";
        consumer.Start();
        await consumer.HasAsync(pen, "Pen 1");
        await Eventually.Holds(async () => (await ParkedAsync(consumer)).Count > 0, "the ink is parked");
        await consumer.StopAsync();
        await consumer.ExecuteAsync("INSERT INTO stock VALUES (-1, 'of the lost log', 1)");
        await consumer.ExecuteAsync("UPDATE apexshop_positions SET log = 'ffffffffffff'");
        consumer.Refused = null;
        consumer.Start();

        await consumer.HasAsync(ink, "Ink 1");
        await RenameAsync(pen, category, "Pen, later");
        await consumer.HasAsync(pen, "Pen, later 2");
        (await consumer.RowsAsync("SELECT id FROM stock WHERE id < 0")).ShouldBeEmpty();
        (await ParkedAsync(consumer)).ShouldBeEmpty();
        consumer.Reports.ShouldContain(line => line.Contains("log.replaced", StringComparison.Ordinal));
        (await consumer.RowsAsync("SELECT log FROM apexshop_positions")).ShouldBe(
            await State.Database.RowsAsync("SELECT id FROM shop.log_identities ORDER BY generation DESC LIMIT 1"));
    }

    [Fact]
    public async Task Of_two_instances_that_find_a_replaced_log_one_removes_the_data()
    {
        var (_, pen, _) = await ProductsAsync();
        await State.ProjectedAsync();
        await using var consumer = await StockConsumer.CreateAsync(Shop);
        consumer.Start();
        await consumer.HasAsync(pen, "Pen 1");
        await consumer.StopAsync();
        await consumer.ExecuteAsync("UPDATE apexshop_positions SET log = 'ffffffffffff'");
        using var both = new Barrier(2);
        consumer.Reported = line =>
        {
            if (line.StartsWith("The data", StringComparison.Ordinal)) both.SignalAndWait(TimeSpan.FromMinutes(1));
        };
        consumer.Reports.Clear();
        consumer.Start(instances: 2);

        await Eventually.Holds(
            () => consumer.Reports.Count(line => line.StartsWith("At the end", StringComparison.Ordinal)) == 2,
            "both have read the log");
        consumer.Clearings.ShouldBe(1);
        await consumer.HasAsync(pen, "Pen 1");
    }

    [Fact]
    public async Task A_transient_failure_inside_another_exception_is_not_counted()
    {
        var (category, pen, _) = await ProductsAsync();
        await State.ProjectedAsync();
        await using var consumer = await StockConsumer.CreateAsync(Shop);
        consumer.Start();
        await consumer.HasAsync(pen, "Pen 1");
        for (var i = 0; i < 5; i++)
        {
            consumer.Failures.Enqueue(new InvalidOperationException(
                "Of a mapper.", new NpgsqlException("Of the database.", new TimeoutException())));
        }

        await RenameAsync(pen, category, "Pen, later");

        await consumer.HasAsync(pen, "Pen, later 2");
        (await ParkedAsync(consumer)).ShouldBeEmpty();
    }

    [Fact]
    public async Task It_goes_on_with_what_a_log_still_has_from_which_events_were_removed()
    {
        await using var consumer = await StockConsumer.CreateAsync(Shop);
        var (category, pen) = await LogWithoutOldEventsAsync(consumer);
        consumer.Start();

        await consumer.HasAsync(pen, "Pen 3 2");
        await RenameAsync(pen, category, "Pen, live");
        await consumer.HasAsync(pen, "Pen, live 3");
        consumer.Reports.ShouldNotContain(line => line.Contains("removed", StringComparison.Ordinal));
    }

    [Fact]
    public async Task One_that_needs_every_event_reports_that_events_were_removed_and_keeps_what_it_has()
    {
        await using var consumer = await StockConsumer.CreateAsync(Shop);
        var (_, pen) = await LogWithoutOldEventsAsync(consumer);
        await ReportsRemovalAsync(consumer);
        await consumer.HasAsync(pen, "Pen 1");
        await consumer.StopAsync();
        consumer.Start(isCompacted: false, isIncomplete: true);
        await consumer.HasAsync(pen, "Pen 3 2");
    }

    [Fact]
    public async Task One_that_needs_every_event_keeps_what_it_has_of_a_replaced_log_that_lacks_events()
    {
        await using var consumer = await StockConsumer.CreateAsync(Shop);
        var (_, pen) = await LogWithoutOldEventsAsync(consumer);
        await consumer.ExecuteAsync("UPDATE apexshop_positions SET log = 'replaced'");

        await ReportsRemovalAsync(consumer);
        await consumer.HasAsync(pen, "Pen 1");
        await consumer.StopAsync();
        consumer.Start();
        await consumer.HasAsync(pen, "Pen 3 1");
    }

    [Fact]
    public async Task An_erasure_is_applied_though_earlier_events_of_the_person_are_parked()
    {
        await using var consumer = await StockConsumer.CreateAsync(Shop, "users");
        consumer.Refused = "Poison";
        consumer.Start();
        var user = await Client.CreateAsync(
            Resource.Users.Name, Bodies.User($"{Guid.NewGuid():N}@example.com", "Poison"));
        await Eventually.Holds(async () => (await consumer.Parked.ListAsync()).Count == 1, "the user is parked");

        using var erased = await Shop.Commands.Http.PostAsync($"/users/{user.Id}/erase", null);
        erased.EnsureSuccessStatusCode();

        await Eventually.Holds(
            async () => (await consumer.RowsAsync($"SELECT id FROM stock WHERE id = {user.Id}")) is [_],
            "the erasure is applied");
        (await consumer.Parked.ListAsync()).ShouldBeEmpty();
    }

    [Fact]
    public async Task Of_an_erasure_that_is_refused_only_the_erasure_is_parked()
    {
        var email = $"{Guid.NewGuid():N}@example.com";
        await using var consumer = await StockConsumer.CreateAsync(Shop, "users");
        consumer.Refused = "Poison";
        consumer.Start();
        var user = await Client.CreateAsync(Resource.Users.Name, Bodies.User(email, "Poison"));
        await Eventually.Holds(async () => (await consumer.Parked.ListAsync()).Count == 1, "the user is parked");

        // The beginning of every name.
        consumer.Refused = "";
        using var erased = await Shop.Commands.Http.PostAsync($"/users/{user.Id}/erase", null);
        erased.EnsureSuccessStatusCode();
        await Eventually.Holds(
            async () => (await consumer.Parked.ListAsync()) is [{ Event.Type: "apexshop.user.erased" }],
            "only the erasure is parked");
        (await consumer.RowsAsync("SELECT event::text FROM apexshop_parked")).ShouldNotContain(
            row => row.Contains(email, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Two_instances_that_read_the_log_and_messages_at_the_same_time_apply_each_event_once()
    {
        // Events of earlier products may have been removed from the log by another test.
        var last = await State.Database.ScalarAsync<int>(
            "SELECT coalesce(max(aggregate_id), 0) FROM shop.events WHERE resource = 'products'");
        var traffic = await Traffic.PrepareAsync(Shop, products: 20, users: 2, stock: 1000);
        await using var consumer = await StockConsumer.CreateAsync(Shop);
        consumer.Start(instances: 2, isCompacted: false, isIncomplete: true);
        for (var i = 0; i < 100; i++) await traffic.AnythingAsync(new Random(i));
        await State.ProjectedAsync();

        var versions = await State.Database.RowsAsync($"""
            SELECT aggregate_id, max(version) FROM shop.events WHERE resource = 'products' AND aggregate_id > {last}
            GROUP BY 1 ORDER BY 1
            """);
        versions.Count.ShouldBeGreaterThan(20);
        await Eventually.Holds(
            async () => (await consumer.RowsAsync($"SELECT id, writes FROM stock WHERE id > {last} ORDER BY id"))
                .SequenceEqual(versions),
            "each event is applied");
        consumer.Reports.ShouldNotContain(line => line.Contains("refused", StringComparison.Ordinal));
        // None has lost its connection because the other one was faster.
        consumer.Reports.ShouldNotContain(line => line.Contains("Trying again", StringComparison.Ordinal));
    }

    /// <summary>While the consumer is stopped, the pen has three changes; the log keeps only the last one.</summary>
    // It needs every event.
    private static Task ReportsRemovalAsync(StockConsumer consumer)
    {
        consumer.Start(isCompacted: false);
        return Eventually.Holds(
            () => consumer.Reports.Any(line => line.Contains("events.removed", StringComparison.Ordinal)),
            "it reports the removal");
    }

    private async Task<(int Category, int Pen)> LogWithoutOldEventsAsync(StockConsumer consumer)
    {
        var (category, pen, ink) = await ProductsAsync();
        await State.ProjectedAsync();
        consumer.Start();
        await consumer.HasAsync(ink, "Ink 1");
        await consumer.StopAsync();
        for (var i = 1; i <= 3; i++) await RenameAsync(pen, category, $"Pen {i}");
        await State.ProjectedAsync();
        await OldLog.CompactAsync(Shop);
        return (category, pen);
    }

    private async Task<(int Category, int Pen, int Ink)> ProductsAsync()
    {
        var category = await Client.CreateAsync(Resource.Categories.Name, Bodies.Category($"{Guid.NewGuid():N}"));
        var pen = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category.Id, "Pen"));
        var ink = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category.Id, "Ink"));
        return (category.Id, pen.Id, ink.Id);
    }

    private Task<Written> RenameAsync(int product, int category, string name) =>
        Client.ReplaceAsync(Resource.Products.Name, product, Bodies.Product(category, name));

    private static async Task<List<string>> ParkedAsync(StockConsumer consumer) =>
    [
        .. (await consumer.Parked.ListAsync()).Select(parked =>
            $"{parked.Event.Subject} {parked.Event.Data.GetProperty("name")}: {parked.Reason}"),
    ];
}
