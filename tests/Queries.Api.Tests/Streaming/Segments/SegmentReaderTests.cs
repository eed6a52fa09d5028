using System.Text;
using ApexShop.Queries.Api.Resources;
using ApexShop.Queries.Api.Streaming.Segments;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Streaming.Segments;

/// <summary>A change between the versions and the documents is in neither of them.</summary>
public sealed class SegmentReaderTests(SegmentReaderTests.Shop shop)
    : IClassFixture<SegmentReaderTests.Shop>, IAsyncLifetime
{
    private static readonly ReadModel reviews = ReadModel.All.First(resource => resource.Name == "reviews");

    private NpgsqlDataSource source = null!;

    public sealed class Shop : ReadShop
    {
        protected override Task SeedAsync() => PutAsync("reviews", [1, 2], _ => Text("old"));
    }

    public async Task InitializeAsync()
    {
        await shop.PutAsync("reviews", [1, 2], _ => Text("old"));
        source = NpgsqlDataSource.Create(shop.Database.Queries);
    }

    public async Task DisposeAsync() => await source.DisposeAsync();

    [Fact]
    public async Task Documents_match_the_versions_whatever_was_committed_since()
    {
        await using var snapshot = await new SegmentReader(reviews, source).OpenAsync();
        await shop.PutAsync("reviews", [1], _ => Text("new"));
        (await LinesAsync(snapshot)).ShouldBe("\n\"old\"\n\"old\"");
    }

    [Fact]
    public async Task Tables_are_not_switched_between_the_versions_and_the_documents()
    {
        var snapshot = await new SegmentReader(reviews, source).OpenAsync();
        await using var opened = snapshot;
        var exchange = shop.ExecuteAsync(
            """
            BEGIN;
            ALTER TABLE read.reviews RENAME TO before;
            CREATE TABLE read.reviews (LIKE read.before INCLUDING ALL);
            GRANT SELECT ON read.reviews TO queries;
            COMMIT
            """);
        await Eventually.Holds(async () => exchange.IsCompleted || await WaitsAsync(), "the exchange waits or is done");
        (await LinesAsync(snapshot)).ShouldBe("\n\"old\"\n\"old\"");

        await snapshot.DisposeAsync();
        await exchange;
        await shop.ExecuteAsync("DROP TABLE read.reviews; ALTER TABLE read.before RENAME TO reviews");
    }

    [Fact]
    public async Task After_a_session_that_was_ended_the_next_snapshot_does_not_wait_for_ever()
    {
        using var reader = new SegmentReader(reviews, source);
        var ended = await reader.OpenAsync();
        await using (var superuser = NpgsqlDataSource.Create(shop.Database.Superuser))
        {
            await using var end = superuser.CreateCommand(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND usename = 'queries'
                """);
            await end.ExecuteNonQueryAsync();
        }

        await Should.ThrowAsync<NpgsqlException>(() => LinesAsync(ended));
        await Record.ExceptionAsync(async () => await ended.DisposeAsync());

        await using var next = await reader.OpenAsync().WaitAsync(TimeSpan.FromSeconds(30));
        (await LinesAsync(next)).ShouldBe("\n\"old\"\n\"old\"");
    }

    private static async Task<string> LinesAsync(SegmentSnapshot snapshot)
    {
        var lines = new List<byte[]>();
        await foreach (var segment in snapshot.LoadAsync([0])) lines.Add(segment);
        return Encoding.UTF8.GetString(lines.ShouldHaveSingleItem());
    }

    private async Task<bool> WaitsAsync()
    {
        await using var connection = new NpgsqlConnection(shop.Database.Superuser);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(
            """
            SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
            """,
            connection);
        return (bool)(await command.ExecuteScalarAsync())!;
    }

    private static byte[] Text(string text) => Encoding.UTF8.GetBytes($"\"{text}\"");
}
