using ApexShop.Projector.Operations;
using ApexShop.Projector.Tests.Harness;
using Npgsql;

namespace ApexShop.Projector.Tests.Operations;

public sealed class DedicatedConnectionsTests(ReadStore store) : ProjectorTest(store)
{
    [Fact]
    public async Task A_statement_that_takes_too_long_does_not_end_the_session_of_a_rebuild_in_a_cluster_either()
    {
        // As compose.cluster.yaml has it, because there a cancelled commit must not look like one that succeeded.
        var connections = new DedicatedConnections($"{Store.Database.Projector};Cancellation Timeout=-1");
        await using var session = await connections.OpenAsync(CancellationToken.None);
        await using var slow = new NpgsqlCommand("SELECT pg_sleep(60)", session);
        using var soon = new CancellationTokenSource(TimeSpan.FromMilliseconds(200));
        await Should.ThrowAsync<OperationCanceledException>(() => slow.ExecuteNonQueryAsync(soon.Token));

        await using var next = new NpgsqlCommand("SELECT 1", session);
        (await next.ExecuteScalarAsync()).ShouldBe(1);
    }
}
