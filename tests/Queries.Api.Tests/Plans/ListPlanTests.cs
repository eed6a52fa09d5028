using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Extensions.DependencyInjection;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Plans;

/// <summary>The plans of the statements of the lists.</summary>
public abstract class ListPlanTests(MadeShop shop)
{
    private const int Size = 20;

    // The root, the inner pages and the leaf of an index may be one page more or less at another depth.
    private const int OtherLeaves = 12;

    private static readonly Dictionary<string, string> values = new()
    {
        ["categoryId"] =
            "3", ["minPrice"] = "100", ["maxPrice"] = "9000", ["modifiedAfter"] = "2024-01-02", ["q"] = "rare7",
        ["customerId"] = "77", ["status"] =
            "Pending", ["fromDate"] = "2024-01-01T06:00Z", ["toDate"] = "2027-01-01", ["minAmount"] = "5",
        ["productId"] = "77", ["userId"] =
            "77", ["minRating"] = "3", ["createdAfter"] = "2024-01-01T06:00Z", ["email"] = "u777@EXAMPLE.com",
    };

    private ReadDatabase Database => shop.App.Services.GetRequiredService<ReadDatabase>();

    /// <summary>Every sort, and every value of a flag and every other filter, each with each sort.</summary>
    public static TheoryData<string, string> Lists(bool areIndexScans)
    {
        var data = new TheoryData<string, string>();
        foreach (var resource in ReadModel.All)
        {
            var filters = resource.Filters.SelectMany(filter => filter.IsFlag
                ? (string[])[$"&{filter.Name}=true", $"&{filter.Name}=false"]
                : [$"&{filter.Name}={values[filter.Name]}"]);
            foreach (var filter in (string[])["", .. filters])
            {
                string[] sorts =
                [
                    "",
                    .. from sort in resource.Sorts
                       let needed = sort.RequiredFilter
                       where sort.IsPublic && (needed is null || filter == $"&{needed}={values[needed]}")
                       select $"sort={sort.Name}",
                ];
                foreach (var query in sorts.Select(sort => sort + filter))
                {
                    if (List(resource.Name, query).IsIndexScan == areIndexScans) data.Add(resource.Name, query);
                }
            }
        }

        return data;
    }

    [Theory, MemberData(nameof(Lists), true)]
    public async Task An_index_scan_reads_one_row_more_than_it_sends_at_any_depth_in_both_directions(
        string resource, string query)
    {
        var list = List(resource, query);
        var deep = await DeepPositionAsync(list);
        var shallow = await ScannedAsync(list, ScanStart.Beginning);
        var behind = await ScannedAsync(list, new ScanStart(deep));
        var before = await ScannedAsync(list, new ScanStart(deep, IsBackwards: true));
        behind.Buffers.ShouldBeLessThanOrEqualTo(shallow.Buffers + OtherLeaves + Skipped(list), behind.ToString());
        var streamed = await ScannedAsync(
            list, ChunkReader.ChunkCommand(list, new ScanStart(deep), Size + 1, (byte)',', int.MaxValue));
        streamed.Buffers.ShouldBeLessThanOrEqualTo(behind.Buffers + OtherLeaves, streamed.ToString());
        before.Buffers.ShouldBeLessThanOrEqualTo(shallow.Buffers + OtherLeaves + Skipped(list), before.ToString());
    }

    [Theory, MemberData(nameof(Lists), false)]
    public async Task A_page_of_a_search_reads_few_rows_more_than_the_best_plan(string resource, string query)
    {
        var list = List(resource, query);
        var plan = await Plan.OfAsync(
            shop.Database.Queries,
            ReadDatabase.SearchSettings,
            ListCommands.PageCommand(list, ScanStart.Beginning, Size));
        plan.Types.ShouldNotContain("Seq Scan", plan.ToString());

        // Of m among N rows a scan finds a page within (page + 1) * N / m, an index and a sort read m: never more than
        // the root of (page + 1) * N, twice of it with the rows of a second table, and as much again for estimates.
        var bound = 4 * (long)Math.Sqrt((Size + 1.0) * shop.CountOf(resource));
        plan.RowsRead.ShouldBeLessThan(bound, plan.ToString());
    }

    [Theory]
    [InlineData("products", "")]
    [InlineData("products", "categoryId=3")]
    [InlineData("orders", "sort=id")]
    public async Task A_numbered_page_in_the_order_of_ids_is_found_by_the_counts_of_segments(
        string resource, string query)
    {
        var list = List(resource, query);
        var total = await shop.App.Services.GetRequiredService<CountCache>().CountAsync(list, isFresh: false, default);
        var plan = await Plan.OfAsync(
            shop.Database.Queries,
            ReadDatabase.ScanSettings,
            ListCommands.NumberedCommand(list, Size, (total / Size - 1) * Size));
        plan.Types.ShouldNotContain("Sort");
        plan.RowsRead.ShouldBeLessThan((shop.CountOf(resource) / 500) + 2 + 500 + Size, plan.ToString());
    }

    [Theory]
    [InlineData("products", "sort=price")]
    [InlineData("products", "sort=name")]
    [InlineData("products", "sort=rating")]
    [InlineData("orders", "sort=newest")]
    public async Task A_numbered_page_of_another_order_skips_rows_in_the_index_only(string resource, string query)
    {
        var list = List(resource, query);
        var plan = await Plan.OfAsync(
            shop.Database.Queries,
            ReadDatabase.ScanSettings,
            ListCommands.NumberedCommand(list, Size, ((shop.CountOf(resource) / Size / 2) - 1) * Size));
        plan.Types.ShouldBe(["Nested Loop", "Limit", "Index Only Scan", "Index Scan"], plan.ToString());
    }

    private static ListQuery List(string resource, string query)
    {
        var parameters = new QueryParameters(new QueryCollection(QueryHelpers.ParseQuery(query)));
        var list = ListQuery.From(ReadModel.All.First(one => one.Name == resource), parameters);
        parameters.Problem().ShouldBeNull();
        return list;
    }

    // Rows that a common flag skips: about every twentieth.
    private static int Skipped(ListQuery list) =>
        list.Filters.Any(one => one.Condition.IndexUse == IndexUse.Common) ? Size : 0;

    private Task<Plan> ScannedAsync(ListQuery list, ScanStart start) =>
        ScannedAsync(list, ListCommands.PageCommand(list, start, Size));

    private async Task<Plan> ScannedAsync(ListQuery list, NpgsqlBatchCommand asked)
    {
        var plan = await Plan.OfAsync(shop.Database.Queries, ReadDatabase.ScanSettings, asked);
        plan.Types.Except(["Aggregate", "Subquery Scan", "Limit", "Nested Loop", "Index Scan", "Index Only Scan"])
            .ShouldBeEmpty(plan.ToString());
        plan.MostRowsRead.ShouldBeLessThanOrEqualTo(Size + 1 + Skipped(list), plan.ToString());
        return plan;
    }

    // The seventh of nine rows that are spread over all of them: about a million deep where there are 1.5 million.
    private async Task<KeysetPosition> DeepPositionAsync(ListQuery list)
    {
        var sort = list.Sort;
        var rows = list.Resource.Name == "categories" ? MadeShop.Categories : shop.CountOf(list.Resource.Name);
        var (column, order) = sort.Column is { } value
            ? ($", {value}", $"{value}{(sort.IsDescending ? " DESC" : "")}")
            : ("", "id");
        var join = sort.SideTable is var (table, id) ? $"JOIN {table} ON {id} = id" : "";
        var ids = Enumerable.Range(1, 9).Select(tenth => rows / 10 * tenth);
        await using var command = Database.Pages.CreateCommand(
            $"""
            SELECT {sort.IdColumn}{column} FROM {list.Resource.Table} {join}
            WHERE id IN ({string.Join(", ", ids)}) ORDER BY {order} OFFSET 6 LIMIT 1
            """);
        await using var found = await command.ExecuteReaderAsync();
        (await found.ReadAsync()).ShouldBeTrue();
        return new KeysetPosition(sort.Kind?.Read(found, 1), found.GetInt32(0));
    }
}

public sealed class SeededPlanTests(SeededShop shop) : ListPlanTests(shop), IClassFixture<SeededShop>;

[Collection(nameof(Measured))]
public sealed class LargePlanTests(LargeShop shop) : ListPlanTests(shop), IClassFixture<LargeShop>;
