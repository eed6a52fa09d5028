using System.Text.Json;
using ApexShop.Commands.Api.Events;
using ApexShop.Commands.Api.Operations.Console;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Events;

/// <summary>
/// A log of 1.5 million events: the rows that PostgreSQL reads for each kind of filter, and the memory of a response.
/// </summary>
[Collection(nameof(Measured))]
public sealed class LargeLogTests(LargeLogTests.Log log) : IClassFixture<LargeLogTests.Log>
{
    private const int Count = 1_500_000;
    private const int Chunk = 500;
    private const long Megabyte = 1024 * 1024;

    // The position, its row and, for a compacted response, the lookup of a later one.
    private const double RowsPerPosition = 3;

    public sealed class Log : LogShop
    {
        public override async Task InitializeAsync()
        {
            await base.InitializeAsync();
            await ExecuteAsync("ALTER TABLE shop.events SET UNLOGGED", seconds: 300);
            // Its indexes are made afterwards, which is faster. One product has a quarter of all events, the categories
            // have one, one type is very rare, and two occur only at the end.
            await ExecuteAsync(
                $$"""
                {{DroppedIndexes.Of("shop.events")}}
                INSERT INTO shop.events (position, previous, event_id, type, resource, aggregate_id, version, time,
                    data)
                SELECT n, n - 1, gen_random_uuid(),
                    CASE WHEN n > 1450000 AND n % 20 = 3 THEN 'apexshop.review.created' WHEN n > 1450000 AND n % 20 = 7
                        THEN 'apexshop.review.updated'
                        WHEN n = 1 THEN 'apexshop.category.created' WHEN n % 500000 = 0 THEN 'apexshop.product.deleted'
                        WHEN n % 4 = 0 THEN 'apexshop.product.stock-changed' WHEN n % 4 = 1
                            THEN 'apexshop.product.updated' ELSE 'apexshop.order.placed' END,
                    CASE WHEN n > 1450000 AND n % 20 IN (3, 7) THEN 'reviews' WHEN n = 1
                        THEN 'categories' WHEN n % 4 < 2 THEN 'products' ELSE 'orders' END,
                    CASE n % 4 WHEN 0 THEN 17 WHEN 1
                        THEN n % 20000 ELSE n END, n, now(), '{"id":1,"version":1,"name":"Walnut desk","price":249.50}'
                FROM generate_series(1, {{Count}}) AS n;
                {{DroppedIndexes.MakeAgain}}
                """,
                seconds: 300);
            await ExecuteAsync($"UPDATE shop.log_positions SET position = {Count} WHERE name = 'head'", seconds: 300);
            await ExecuteAsync("VACUUM ANALYZE shop.events", seconds: 300);
        }
    }

    public static TheoryData<string> Forms =>
    [
        "", "resource=products", "resource=categories", "types=apexshop.order.placed",
        "types=apexshop.product.deleted", "types=apexshop.review.created,apexshop.review.updated",
        "types=apexshop.category.created,apexshop.product.deleted,apexshop.order.placed,apexshop.product.updated",
        "aggregate=products/17", "aggregate=products/17&aggregate=products/21&aggregate=orders/750002",
        "aggregate=products/17&types=apexshop.product.deleted",
    ];

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task A_page_reads_a_bounded_number_of_rows_wherever_it_starts(string form)
    {
        foreach (var after in (long[])[0, 700_000, 1_499_000, Count])
        {
            foreach (var isCompacted in (bool[])[false, true])
            {
                var range = new EventRange(Filter(form), Count, isCompacted);
                var streams = Math.Max(
                    1, (range.Filter.PossibleAggregates?.Length ?? 0) + (range.Filter.PossibleTypes?.Length ?? 0));
                var rows = await RowsReadAsync(range, after);
                rows.ShouldBeLessThanOrEqualTo(
                    (Chunk * (streams + RowsPerPosition)) + streams, $"{form} after {after}, compacted {isCompacted}");
            }
        }
    }

    [Fact]
    public async Task The_lag_of_a_resource_whose_last_event_is_old_reads_no_events_of_others()
    {
        await using var command = log.App.Superuser.CreateCommand(
            $"EXPLAIN (ANALYZE, FORMAT JSON) {LogStatusReader.LagSql}");
        command.Parameters.Add(new NpgsqlParameter<string[]> { TypedValue = ["categories", "products"] });
        command.Parameters.Add(new NpgsqlParameter<long[]> { TypedValue = [1, Count - 8] });

        // Four products are counted, and the first of them is read again.
        (await RowsReadAsync(command)).ShouldBeLessThanOrEqualTo(8);
    }

    [Fact]
    public async Task Readers_of_the_whole_log_full_and_compacted_need_little_memory()
    {
        await Task.WhenAll(ReadAsync("/events?limit=20000"), ReadAsync("/events?compacted=true&limit=20000"));
        var before = Environment.WorkingSet;
        var most = 0L;

        var readers = Task.WhenAll(
            ReadAsync("/events"), ReadAsync("/events?resource=products"), ReadAsync("/events?compacted=true"));
        while (!readers.IsCompleted)
        {
            most = Math.Max(most, Environment.WorkingSet - before);
            await Task.WhenAny(readers, Task.Delay(20));
        }

        // The last event of product 17, of each 20,000th other product of every order and of every review.
        (await readers).ShouldBe([Count, (Count / 2) - 1, (Count / 2) + 5_000 + 1]);
        most.ShouldBeLessThan(60 * Megabyte);
    }

    private static EventFilter Filter(string form)
    {
        var query = new EventQuery(new Microsoft.AspNetCore.Http.QueryCollection(
            Microsoft.AspNetCore.WebUtilities.QueryHelpers.ParseQuery(form)), "resource", "types", "aggregate");
        var filter = query.Filter();
        query.Refusal().ShouldBeNull();
        return filter;
    }

    private async Task<double> RowsReadAsync(EventRange range, long after)
    {
        await using var connection = await log.App.Services.GetRequiredService<EventLogConnections>()
            .OpenAsync(CancellationToken.None);
        await using var command = EventLogReader.Command(range, after, Chunk);
        command.Connection = connection;
        command.CommandText = $"EXPLAIN (ANALYZE, FORMAT JSON) {command.CommandText}";
        return await RowsReadAsync(command);
    }

    private static async Task<double> RowsReadAsync(NpgsqlCommand explain)
    {
        var plan = JsonElement.Parse((string)(await explain.ExecuteScalarAsync())!);
        return Nodes(plan[0].GetProperty("Plan"))
            .Where(node => node.TryGetProperty("Relation Name", out var table) && table.GetString() == "events")
            .Sum(Rows);
    }

    // Rows that a filter removes were read too.
    private static double Rows(JsonElement scan)
    {
        scan.GetProperty("Node Type").GetString()!.ShouldContain("Index");
        var removed = scan.TryGetProperty("Rows Removed by Filter", out var filtered) ? filtered.GetDouble() : 0;
        return (scan.GetProperty("Actual Rows").GetDouble() + removed) * scan.GetProperty("Actual Loops").GetDouble();
    }

    private static IEnumerable<JsonElement> Nodes(JsonElement node) =>
        node.TryGetProperty("Plans", out var children)
            ? [node, .. children.EnumerateArray().SelectMany(Nodes)]
            : [node];

    private async Task<int> ReadAsync(string path)
    {
        using var response = await log.App.Http.GetAsync(path, HttpCompletionOption.ResponseHeadersRead);
        await using var body = await response.Content.ReadAsStreamAsync();
        var (buffer, lines) = (new byte[64 * 1024], 0);
        while (await body.ReadAsync(buffer) is > 0 and var count) lines += buffer.AsSpan(0, count).Count((byte)'\n');
        return lines;
    }
}
