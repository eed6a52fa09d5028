using System.Net;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Faults;

public sealed class IdempotencyRunTests(IdempotencyRun run, ITestOutputHelper output) : ShopTests(run.Shop, output),
    IClassFixture<IdempotencyRun>
{
    [Fact]
    public void The_kills_interrupted_requests()
    {
        run.Arrived.Count.ShouldBeInRange(run.Commands.Count / 2, run.Commands.Count - 1);
        run.Final.Values.Count(response => response.IsRefusal).ShouldBeInRange(1, run.Commands.Count / 3);
        run.Final.Values.Where(response => response.IsRefusal)
            .ShouldAllBe(response => response.Text.Contains("product.sold_out"));
    }

    [Fact]
    public void A_response_that_had_arrived_is_returned_again()
    {
        run.Final.Count.ShouldBe(run.Commands.Count);
        foreach (var (command, response) in run.Arrived) run.Final[command].ShouldBe(response);
        foreach (var (command, response) in run.Final) run.Repeated[command].ShouldBe((response, true));
    }

    [Fact]
    public async Task Every_order_was_placed_once_or_rejected_and_not_placed()
    {
        var placed =
            Counts(await State.Database.RowsAsync("SELECT shipping_address, count(*) FROM shop.orders GROUP BY 1"));

        foreach (var (command, response) in run.Final.Where(one => one.Key.Path == "/orders"))
            placed.GetValueOrDefault(command.Key)
                .ShouldBe(response.Status == HttpStatusCode.Created ? 1 : 0, command.Key);
    }

    [Fact]
    public async Task Every_product_was_created_once()
    {
        var created = Counts(await State.Database.RowsAsync("SELECT name, count(*) FROM shop.products GROUP BY 1"));

        foreach (var command in run.Commands.Where(command => command.Path == "/products"))
            created[command.Key].ShouldBe(1, command.Key);
    }

    [Fact]
    public async Task Stock_is_the_initial_stock_minus_the_orders() => (await State.Database.RowsAsync(
        $"""
        SELECT p.id, p.stock, coalesce(sum(i.quantity), 0) FROM shop.products AS p LEFT
            JOIN shop.order_items AS i ON i.product_id = p.id
        WHERE p.name = 'Sold' GROUP BY p.id HAVING p.stock + coalesce(sum(i.quantity), 0) <> {IdempotencyRun.Stock}
            OR p.stock < 0
        """)).ShouldBeEmpty();

    [Fact]
    public async Task Every_change_of_a_category_happened_once()
    {
        var changes = run.Commands.Count(command => command.Method == HttpMethod.Patch);

        (await State.Database.ScalarAsync<long>(
            $"SELECT count(*) FROM shop.products WHERE name = 'Moved' AND stock = {changes} AND version = "
            + $"{changes} + 1"))
            .ShouldBe(IdempotencyRun.StockMoved);
    }

    [Fact]
    public async Task There_is_one_stored_response_for_every_key_and_no_other() =>
        (await State.Database.ScalarAsync<long>("SELECT count(*) FROM shop.idempotency_keys"))
            .ShouldBe(run.Commands.Count);

    [Fact]
    public async Task The_log_has_every_version_once_and_ends_with_the_rows()
    {
        await State.ProjectedAsync();

        await State.LogIsWholeAsync();
        await State.LogEqualsTablesAsync();
        await State.DocumentsEqualTablesAsync();
    }

    private static Dictionary<string, int> Counts(List<string> rows) => rows.ToDictionary(
        row => row[..row.LastIndexOf(' ')],
        row => int.Parse(row[(row.LastIndexOf(' ') + 1)..], System.Globalization.CultureInfo.InvariantCulture));
}
