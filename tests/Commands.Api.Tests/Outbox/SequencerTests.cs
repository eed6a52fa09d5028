using ApexShop.Resources;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Outbox;

public sealed class SequencerTests : FollowedLogTest
{
    [Fact]
    public async Task Positions_have_no_gap_and_keep_each_aggregates_order_with_waiting_and_rolled_back_writers()
    {
        await using var process = await OutboxProcess.StartAsync(Database, Exchange);
        var committed = await Task.WhenAll(Enumerable.Range(1, 32).Select(writer => ChangeAsync(writer, changes: 25)));

        await Eventually.Holds(
            async () => await Database.HeadAsync() == committed.Sum(), "every committed row is in the log");
        await Database.ShouldBeWholeAsync(committed.Sum());
    }

    [Fact]
    public async Task A_late_commit_of_an_early_row_is_not_skipped()
    {
        await using var process = await OutboxProcess.StartAsync(Database, Exchange);
        await using var early = await Database.Writer.OpenConnectionAsync();
        await using var transaction = await early.BeginTransactionAsync();
        await LogDatabase.WriteAsync(early, Resource.Users.Name, 1, 1);
        await Database.WriteAsync(Resource.Users.Name, 2, 1);
        await Eventually.Holds(async () => await Database.HeadAsync() == 1, "the later row is in the log");

        await transaction.CommitAsync();

        await Eventually.Holds(async () => await Database.HeadAsync() == 2, "the early row follows");
        await Database.ShouldBeWholeAsync(2);
    }

    [Fact]
    public async Task Nothing_leaves_the_outbox_before_its_commit_or_after_its_rollback()
    {
        await using var process = await OutboxProcess.StartAsync(Database, Exchange);
        await using var connection = await Database.Writer.OpenConnectionAsync();
        await using var transaction = await connection.BeginTransactionAsync();
        await LogDatabase.WriteAsync(connection, Resource.Orders.Name, 7, 1);
        await Database.WriteAsync(Resource.Orders.Name, 8, 1);
        await Eventually.Holds(() => Queue.HasAsync(1), "the committed row is published");

        await transaction.RollbackAsync();
        await Database.WriteAsync(Resource.Orders.Name, 9, 1);

        await Eventually.Holds(() => Queue.HasAsync(2), "the next one is published");
        Queue.Events.Select(entry => entry.AggregateId).ShouldBe([8, 9]);
    }

    [Fact]
    public async Task An_interrupted_batch_leaves_no_gap()
    {
        await using var process = await OutboxProcess.StartAsync(Database, Exchange);
        await Database.WriteAsync(Resource.Users.Name, 1, 1);
        await Eventually.Holds(() => Database.IsPublishedAsync(1), "the leader is at work");

        // The batch has its numbers when it comes to the row that is locked here, and dies there.
        await using (var blocker = await Database.Writer.OpenConnectionAsync())
        {
            await using var transaction = await blocker.BeginTransactionAsync();
            await using var block =
                new NpgsqlCommand("SELECT 1 FROM shop.log_positions WHERE name = 'head' FOR UPDATE", blocker);
            await block.ExecuteNonQueryAsync();
            await Database.FillAsync(Resource.Products.Name, 10);
            await Eventually.Holds(async () =>
                await Database.TerminateLeaderAsync("wait_event_type = 'Lock'") == 1, "a batch waits and dies");
        }

        await Eventually.Holds(() => Database.IsPublishedAsync(11), "the next leader moves the batch");
        await Database.ShouldBeWholeAsync(11);
    }

    // Each writer changes one aggregate, version after version, and gives up one transaction in four.
    private async Task<long> ChangeAsync(int writer, int changes)
    {
        var random = new Random(writer);
        var resource = Resource.Names[writer % Resource.Names.Count];
        long committed = 0;
        for (long version = 1; version <= changes;)
        {
            await using var connection = await Database.Writer.OpenConnectionAsync();
            await using var transaction = await connection.BeginTransactionAsync();
            await LogDatabase.WriteAsync(connection, resource, writer, version);
            await Task.Delay(random.Next(4));
            if (random.Next(4) == 0)
            {
                await transaction.RollbackAsync();
                continue;
            }

            await transaction.CommitAsync();
            version++;
            committed++;
        }

        return committed;
    }
}
