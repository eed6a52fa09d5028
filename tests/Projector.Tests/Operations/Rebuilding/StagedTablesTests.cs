using ApexShop.Projector.Documents;
using ApexShop.Projector.Operations.Rebuilding;
using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;

namespace ApexShop.Projector.Tests.Operations.Rebuilding;

/// <summary>The tables between the log and the new documents.</summary>
public sealed class StagedTablesTests(ReadStore store) : RebuildingTest(store)
{
    private const int MoreThanAPage = 1_100;

    [Fact]
    public async Task They_are_dropped_with_the_exchange_and_those_of_a_rebuild_that_ended_by_the_next()
    {
        await FillAsync();
        await Store.ExecuteAsync($"CREATE TABLE {RebuiltTables.StagedPrefix}products (of_a_killed_process integer); "
            + $"ALTER TABLE {RebuiltTables.StagedPrefix}products OWNER TO projector");

        ShouldBeDone(await Projector.RebuildAsync());

        (await Store.ScalarAsync<long>("SELECT count(*) FROM pg_tables WHERE schemaname = 'read_next'")).ShouldBe(0);
    }

    [Fact]
    public async Task An_aggregate_that_changes_while_the_log_is_read_has_its_last_state()
    {
        for (var id = 1; id <= MoreThanAPage; id++) History.Product(id, $"Product {id}");
        var answers = 0;
        // The first answers are the identity and a page of the log.
        History.BeforeAnswer = () =>
        {
            if (++answers != 2) return Task.CompletedTask;
            History.Product(1, "Renamed", category: 2);
            History.Product(2, "Nul \0 character");
            History.Delete(Resource.Products.Name, 3);
            return Task.CompletedTask;
        };

        var status = await Projector.RebuildAsync();

        status.Failure.ShouldBeNull();
        status.ParkedAggregates.ShouldBe(1);
        status.Documents[Resource.Products.Name].Total.ShouldBe(MoreThanAPage - 1);
        (await Store.BodyAsync("products", 1))!.ShouldContain("Renamed");
        (await Store.BodyAsync("products", 2))!.ShouldContain("Product 2");
        (await Store.BodyAsync("products", 3)).ShouldBeNull();
        (await Store.WrongSegmentsAsync()).ShouldBe(0);
        (await Store.WrongAsidesAsync()).ShouldBe(0);
    }

    [Fact]
    public async Task Every_derived_value_is_found_by_an_index()
    {
        await FillAsync();
        var (answers, plans) = (0, new Dictionary<string, string>());
        // The first answers are the identity and the log, the next ones are the catching up: the tables are complete.
        History.BeforeAnswer = async () =>
        {
            if (++answers != 3) return;
            foreach (var field in typeof(DerivedValue).GetFields())
                plans[field.Name] = await PlanAsync(field.GetValue(null)!);
        };

        ShouldBeDone(await Projector.RebuildAsync());

        plans.Count.ShouldBeGreaterThan(5);
        plans.ShouldAllBe(plan => plan.Value.Contains("Index") && !plan.Value.Contains("Seq Scan"));
    }

    private Task<string> PlanAsync(object value)
    {
        var sql = value.GetType().GetProperty(nameof(DerivedValue<int>.Query))!.GetValue(value)!.ToString()!;
        var key = sql["SELECT ".Length..sql.IndexOf(',', StringComparison.Ordinal)];
        return Store.ScalarAsync<string>(
            "SET enable_seqscan = off; EXPLAIN (FORMAT JSON) "
            + sql.Replace("@keys", $"{key} = ANY('{{1,7}}')", StringComparison.Ordinal)
                .Replace("read.", RebuiltTables.StagedPrefix, StringComparison.Ordinal));
    }
}
