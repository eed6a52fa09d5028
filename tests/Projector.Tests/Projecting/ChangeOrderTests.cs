using ApexShop.Events;
using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;
using FsCheck;
using FsCheck.Fluent;
using Npgsql;

namespace ApexShop.Projector.Tests.Projecting;

/// <summary>The places of read.changes, as Queries.Api reads them.</summary>
public sealed class ChangeOrderTests(ReadStore store) : ProjectorTest(store)
{
    [Fact]
    public void A_reader_of_the_changes_has_all_documents_whatever_writes_them_meanwhile()
    {
        var property = Prop.ForAll(RandomHistory.Numbers, Gen.Choose(0, 1_000_000).ToArbitrary(), (numbers, seed) =>
            HoldsAsync(numbers, new Random(seed)).GetAwaiter().GetResult());
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(15).WithQuietOnSuccess(true), property);
    }

    [Fact]
    public async Task A_document_that_shows_a_new_name_has_a_place_behind_the_one_that_has_it()
    {
        await Projector.ApplyEachAsync(
            [History.Category(1, "Before"), History.Product(1, "Lamp"), History.Product(2, "Desk")]);
        var last = await LastAsync();
        await Projector.ApplyAsync(History.Category(1, "After"));

        var places = await PlacesAsync(last);
        places[0].ShouldBe("categories/1");
        places.Skip(1).Order().ShouldBe(["products/1", "products/2"]);
    }

    [Fact]
    public async Task A_deletion_and_a_row_that_healing_removes_have_places()
    {
        await Projector.ApplyAsync(History.User(1, "A", "B"), History.User(2, "A", "B"));
        await Store.ExecuteAsync("""
            INSERT INTO read.users (id, version, first_name, last_name, data, body)
            SELECT 9, version, first_name, last_name, data, body FROM read.users WHERE id = 1
            """);
        var last = await LastAsync();
        await Projector.ApplyAsync(History.Delete(Resource.Users.Name, 2));
        await Projector.Healer.HealAsync(Resource.Users.Name, [9], CancellationToken.None);

        (await PlacesAsync(last)).ShouldBe(["users/2", "users/9"]);
    }

    [Fact]
    public async Task Revisions_go_on_above_those_that_a_restored_schema_does_not_know()
    {
        await Projector.ApplyAsync(History.Product(1, "Lamp"));
        var last = await LastAsync();
        await Store.ExecuteAsync("SELECT setval('read.revisions', 1)");
        await Projector.ApplyAsync(History.Product(1, "Desk"));

        (await PlacesAsync(last)).ShouldBe(["products/1"]);
    }

    // Two Projectors, as a hung one and its standby, and a healer write at the same time.
    private async Task<bool> HoldsAsync(int[] numbers, Random random)
    {
        await Store.ClearAsync();
        using var history = new EventHistory();
        RandomHistory.Fill(history, numbers);
        await using var active = new TestProjector(Store.Database.Projector, history);
        await using var standby = new TestProjector(Store.Database.Projector, history);
        using var stop = new CancellationTokenSource();
        await using var database = NpgsqlDataSource.Create(Store.Database.Queries);
        var reader = new ChangeFollower(database, random.Next());
        var reading = Task.Run(() => reader.FollowAsync(stop.Token));
        var messages = history.Entries.Chunk(random.Next(1, 6)).ToList();
        var ids = Enumerable.Range(0, 8).Select(_ => random.Next(4)).ToList();
        await Task.WhenAll(
            ApplyAsync(active, messages),
            ApplyAsync(standby, messages),
            HealAsync(standby, ids));

        await stop.CancelAsync();
        await reading;
        await reader.ReadAsync();
        reader.Documents.ShouldBe(await Store.LivingAsync());
        return true;
    }

    private static async Task ApplyAsync(TestProjector projector, IEnumerable<LogEntry[]> messages)
    {
        foreach (var message in messages)
        {
            foreach (var ofOne in message.GroupBy(entry => entry.Resource)) await projector.ApplyAsync(ofOne);
        }
    }

    private static async Task HealAsync(TestProjector projector, IEnumerable<int> ids)
    {
        foreach (var id in ids)
        {
            foreach (var resource in Resource.Names)
                await projector.Healer.HealAsync(resource, [id], CancellationToken.None);
        }
    }

    private Task<long> LastAsync() => Store.ScalarAsync<long>("SELECT max(revision) FROM read.changes");

    private async Task<List<string>> PlacesAsync(long after) => [.. (await Store.PairsAsync(
        $"SELECT revision::text, kind || '/' || id FROM read.changes WHERE revision > {after}")).Values];
}
