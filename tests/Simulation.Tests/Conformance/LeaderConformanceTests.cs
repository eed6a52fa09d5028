using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Simulation.Tests.Scheduling;
using ApexShop.Simulation.Tests.Writing;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Simulation.Tests.Conformance;

/// <summary>The statements of a leader, in the model and in PostgreSQL, have the same results.</summary>
public sealed class LeaderConformanceTests : IAsyncLifetime
{
    private const int Operations = 150;

    private static readonly TimeSpan lease = TimeSpan.FromHours(1);

    private TestDatabase database = null!;
    private NpgsqlDataSource superuser = null!;
    private ModelRun run = null!;
    private ShopServer model = null!;

    public async Task InitializeAsync()
    {
        database = await TestDatabase.CreateAsync(
            "shop", shop => ShopMigration.ApplyAsync(shop.ShopOwner, CancellationToken.None));
        superuser = NpgsqlDataSource.Create(database.Superuser);
    }

    public async Task DisposeAsync()
    {
        await superuser.DisposeAsync();
        await database.DisposeAsync();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task The_model_of_schema_shop_replies_as_PostgreSQL(int seed)
    {
        run = new(seed);
        model = new(run.Scheduler.World.Clock);
        var sessions = new ModelLeaderConnections(run.Process, model, run.Network);
        var random = new SeededRandom(seed);
        (ILeaderConnection Real, ILeaderConnection Model, NpgsqlConnection Connection)[] pairs =
            [await OpenAsync(sessions), await OpenAsync(sessions)];
        var (moved, versions, term) = (0, 0, 0L);
        for (var i = 0; i < Operations; i++)
        {
            var index = random.Next(2);
            var (dice, more) = (random.Next(12), random.Next(3));
            if (dice < 4) await WriteAsync(more == 0 ? "categories" : "products", 1 + more, ++versions);
            else if (dice == 11)
            {
                await EndAsync(pairs[index]);
                pairs[index] = await OpenAsync(sessions);
            }
            else
            {
                var operation = Operation(dice, more, random.Next(4) == 0 ? random.Next(12) : term, random.Next(20));
                var real = await ResultAsync(operation, pairs[index].Real);
                var replied = run.Run(() => ResultAsync(operation, pairs[index].Model));
                replied.ShouldBe(real, $"operation {i} of seed {seed}: {dice}");
                if (dice is 4 or 9 && long.TryParse(real.Split(' ')[0], out var taken)) term = taken;
                if (dice is 5 or 6 && long.TryParse(real, out var rows) && rows > 0) moved++;
            }
        }

        moved.ShouldBeGreaterThan(5);
        foreach (var pair in pairs) await EndAsync(pair);
    }

    private static Func<ILeaderConnection, Task<object>> Operation(int dice, int more, long term, long position) =>
        dice switch
        {
            4 => async session => await session.TakeAsync(lease, more == 0, more > 0, CancellationToken.None),
            5 or 6 => async session =>
                await session.MoveAsync(
                    term, 1 + more, more == 2 ? TimeSpan.Zero : lease, false, CancellationToken.None)
                    as object ?? "refused",
            7 => async session =>
            {
                await session.MovePublishedAsync(position, term, CancellationToken.None);
                return "moved";
            },
            8 => async session => await session.ReadPublishedAsync(CancellationToken.None),
            9 => async session => await session.TakeAsync(TimeSpan.Zero, false, false, CancellationToken.None),
            _ => async session => string.Join(
                '\n', (await session.ReadAsync(position, 5, CancellationToken.None)).Select(Text)),
        };

    private static string Text(LogEntry entry) =>
        FormattableString.Invariant($"{entry.Position} after {entry.Previous}: {entry.Resource}/{entry.AggregateId}");

    private static async Task<string> ResultAsync(
        Func<ILeaderConnection, Task<object>> operation, ILeaderConnection session)
    {
        try
        {
            var result = await operation(session);
            return result is TakenLease taken ? $"{taken.Term} {taken.IsOffered}" : result.ToString()!;
        }
        catch (LeaseLostException)
        {
            return "the lease is lost";
        }
    }

    private async Task<(ILeaderConnection, ILeaderConnection, NpgsqlConnection)> OpenAsync(
        ModelLeaderConnections sessions)
    {
        var connection = new NpgsqlConnection(database.Commands + ";Pooling=false");
        await connection.OpenAsync();
        return (
            new LeaderConnection(connection),
            run.Run(() => sessions.OpenAsync(CancellationToken.None).AsTask()),
            connection);
    }

    private async Task EndAsync((ILeaderConnection Real, ILeaderConnection Model, NpgsqlConnection Connection) pair)
    {
        var process = pair.Connection.ProcessID;
        await pair.Real.DisposeAsync();
        await Eventually.Holds(
            async () =>
            {
                await using var command = superuser.CreateCommand(
                    $"SELECT count(*) FROM pg_stat_activity WHERE pid = {process}");
                return (long)(await command.ExecuteScalarAsync())! == 0;
            },
            "the session has ended");
        await pair.Model.DisposeAsync();
        run.Settle();
    }

    private async Task WriteAsync(string resource, int id, long version)
    {
        await using var command = superuser.CreateCommand("""
            INSERT INTO shop.outbox (type, resource, aggregate_id, version, data)
            VALUES ('apexshop.test.changed', $1, $2, $3, '{}')
            """);
        command.Parameters.AddWithValue(resource);
        command.Parameters.AddWithValue(id);
        command.Parameters.AddWithValue(version);
        await command.ExecuteNonQueryAsync();
        model.Commit(model.NextOutboxId(), "apexshop.test.changed", resource, new DeletedState(id, version));
    }
}
