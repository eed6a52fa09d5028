using System.Collections.Concurrent;
using ApexShop.Projector.Intake;
using ApexShop.Projector.Tests.Harness;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Projector.Tests.Operations.Rebuilding;

/// <summary>
/// Sessions that keep their statements prepared, as those of both processes do, while tables are exchanged.
/// </summary>
public sealed class PreparedStatementTests(ReadStore store) : RebuildingTest(store)
{
    private const int Readers = 6;

    [Fact]
    public async Task Prepared_statements_use_the_tables_in_use()
    {
        await FillAsync();
        await using var queries = Queries();
        await using var session = await queries.OpenConnectionAsync();
        (await NamesAsync(session)).ShouldContain("Product 3");
        (await NamesAsync(session)).ShouldContain("Product 3");

        await Projector.RebuildAsync();
        await Store.ExecuteAsync(
            "UPDATE read.products SET name = 'In use' WHERE id = 3; UPDATE read_previous.products SET name = "
            + "'Before' WHERE id = 3");
        (await NamesAsync(session)).ShouldContain("In use");

        await Projector.Previous.RollBackAsync(null, CancellationToken.None);
        (await NamesAsync(session)).ShouldContain("Before");
    }

    [Fact]
    public async Task Under_load_no_statement_fails_and_none_reads_only_part_of_the_documents()
    {
        await FillAsync();
        await using var queries = Queries();
        using var over = new CancellationTokenSource();
        var (faults, reads) = (new ConcurrentQueue<string>(), 0);
        var readers = Enumerable.Range(0, Readers).Select(reader => Task.Run(async () =>
        {
            while (!over.IsCancellationRequested)
            {
                try
                {
                    await using var session = await queries.OpenConnectionAsync();
                    var names = await NamesAsync(session);
                    if (names.Count != 11) faults.Enqueue(string.Join(',', names));
                    Interlocked.Increment(ref reads);
                }
                catch (NpgsqlException failed)
                {
                    faults.Enqueue(failed.Message);
                }
            }
        })).ToList();

        for (var turn = 0; turn < 4; turn++)
        {
            var (until, applied) = (Volatile.Read(ref reads) + 100, History.Product(11, $"Turn {turn}"));
            await Projector.ApplyAsync(applied);
            ShouldBeDone(await Projector.RebuildAsync());
            if (turn == 2) (await Projector.Previous.RollBackAsync(null, CancellationToken.None)).ShouldBeNull();
            await Eventually.Holds(() => Volatile.Read(ref reads) > until, "the readers go on");
        }

        await over.CancelAsync();
        await Task.WhenAll(readers);
        faults.ShouldBeEmpty();
        await ShouldBeOfTheLogAsync();
    }

    // As Queries.Api: prepared at the first use, kept for good.
    private NpgsqlDataSource Queries() => NpgsqlDataSource.Create(
        new NpgsqlConnectionStringBuilder(
            Store.Database.Queries) { MaxAutoPrepare = 50, AutoPrepareMinUsages = 1, NoResetOnClose = true });

    private static async Task<List<string>> NamesAsync(NpgsqlConnection session)
    {
        await using var batch = session.CreateBatch();
        batch.BatchCommands.Add(new NpgsqlBatchCommand("SELECT epoch FROM read.projection_state"));
        batch.BatchCommands.Add(
            new NpgsqlBatchCommand("SELECT name FROM read.products WHERE NOT is_deleted ORDER BY id"));
        await using var rows = await batch.ExecuteReaderAsync();
        await rows.ReadAsync();
        await rows.NextResultAsync();
        var names = new List<string>();
        while (await rows.ReadAsync()) names.Add(rows.GetString(0));
        return names;
    }
}
