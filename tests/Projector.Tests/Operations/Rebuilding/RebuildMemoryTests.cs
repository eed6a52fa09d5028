using ApexShop.Projector.Tests.Harness;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Projector.Tests.Operations.Rebuilding;

/// <summary>What a rebuild has in memory.</summary>
[Collection(nameof(Measured))]
public sealed class RebuildMemoryTests(ReadStore store) : RebuildingTest(store)
{
    private const int Documents = 50_000;

    // Each state alone takes more than three times as much.
    private const long MostBytes = Documents * 150L;

    [Fact]
    public async Task The_states_of_all_aggregates_are_never_in_memory_together()
    {
        for (var id = 1; id <= Documents; id++) History.Review(id, 1 + (id % 100), 1, 5);
        await using var blocking = new NpgsqlConnection(Store.Database.Superuser);
        await blocking.OpenAsync();
        await using var block = await blocking.BeginTransactionAsync();
        // Each copied document takes a number of the sequence.
        await using (var alter = new NpgsqlCommand("ALTER SEQUENCE read.revisions CACHE 1", blocking))
            await alter.ExecuteNonQueryAsync();
        var before = GC.GetTotalMemory(forceFullCollection: true);

        var rebuilding = Projector.RebuildAsync();
        await Eventually.Holds(
            () => Store.ScalarAsync<bool>(
                "SELECT EXISTS (SELECT FROM pg_locks WHERE relation = 'read.revisions'::regclass AND NOT granted)"),
            "it copies",
            TimeSpan.FromMinutes(2));
        var copying = GC.GetTotalMemory(forceFullCollection: true) - before;
        var catchingUp = long.MinValue;
        History.BeforeAnswer = () =>
        {
            catchingUp = Math.Max(catchingUp, GC.GetTotalMemory(forceFullCollection: true) - before);
            return Task.CompletedTask;
        };
        await block.RollbackAsync();
        ShouldBeDone(await rebuilding, differing: Documents);

        copying.ShouldBeLessThan(MostBytes);
        catchingUp.ShouldBeInRange(long.MinValue + 1, MostBytes, "it was measured");
    }
}
