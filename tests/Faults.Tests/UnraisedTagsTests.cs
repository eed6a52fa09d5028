using System.Diagnostics;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Faults.Tests;

/// <summary>
/// Redis responds to Queries.Api, or not, and the Projector cannot raise a tag: cached responses without a token are
/// never older than two seconds.
/// </summary>
public sealed class UnraisedTagsTests(CutOffRedis redis) : IClassFixture<CutOffRedis>
{
    // Redis is not waited for longer than 50 ms, so a slow one may not take a page.
    private const int Attempts = 10;

    // No tolerance: a request is counted from its beginning, and the change from when it was seen to be applied.
    private static readonly TimeSpan bound = TimeSpan.FromSeconds(2);

    public static TheoryData<string> States => [.. CutOffRedis.States];

    [Theory]
    [MemberData(nameof(States))]
    public async Task A_change_is_visible_within_the_bound_whatever_the_state_of_Redis(string state)
    {
        var client = new ShopClient(redis.Shop);
        await redis.ReadyAsync("ok");
        var category = await client.CreatedAsync(Resource.Categories.Name, Bodies.Category($"Before {state}"));
        var (removed, removedName, lists) = await PagesInRedisAsync(client, state);
        await redis.BreakAsync(state);
        try
        {
            await client.ReplaceAsync(Resource.Categories.Name, category, Bodies.Category($"After {state}"));
            await client.DeleteAsync(Resource.Categories.Name, removed);
            await Eventually.Holds(() => IsAppliedAsync(category, removed), "the changes are applied");
            var age = Stopwatch.StartNew();
            string[] paths = [$"/categories/{category}", .. lists];
            foreach (var stale in await Task.WhenAll(paths.Select(
                path => LastStaleAsync(path, $"After {state}", removedName, age))))
                stale.ShouldBeLessThanOrEqualTo(bound);
            await redis.ReadyAsync("unavailable");
        }
        finally
        {
            await redis.RepairAsync();
        }

        await redis.ReadyAsync("ok");
    }

    private Task<string> ReadAsync(string path) => redis.Shop.Queries.Http.GetStringAsync(path);

    private Task AllShowAsync(string[] paths, string name) => Eventually.Holds(
        async () => (await Task.WhenAll(paths.Select(ReadAsync))).All(
            body => body.Contains(name, StringComparison.Ordinal)),
        $"the pages show {name}");

    /// <summary>Two lists that Redis has, and a category that is in both.</summary>
    private async Task<(int Id, string Name, string[] Lists)> PagesInRedisAsync(ShopClient client, string state)
    {
        for (var attempt = 0; attempt < Attempts; attempt++)
        {
            // Of another size in each state and attempt, so that no page is in Redis before.
            var size = 100 - (Attempts * Array.IndexOf(CutOffRedis.States, state)) - attempt;
            string[] lists = [$"/categories/cursor?pageSize={size}", $"/categories/v2?pageSize={size}"];
            await AllShowAsync(lists, $"Before {state}");
            // A plain page after a cursor goes to Redis when it is read again.
            var name = $"Removed {state} {attempt}";
            var id = await client.CreatedAsync(Resource.Categories.Name, Bodies.Category(name));
            await AllShowAsync(lists, name);
            if (await AreInRedisAsync(lists)) return (id, name, lists);
        }

        throw new TimeoutException($"Redis has taken no pages in {Attempts} attempts.");
    }

    private async Task<bool> AreInRedisAsync(string[] lists)
    {
        var keys = await redis.PagesAsync();
        return lists.All(list => keys.Any(key => key.EndsWith(list[1..], StringComparison.Ordinal)));
    }

    /// <summary>When the last request began whose response did not show the changes.</summary>
    private async Task<TimeSpan> LastStaleAsync(string path, string shown, string removed, Stopwatch age)
    {
        var last = TimeSpan.Zero;
        await Eventually.Holds(
            async () =>
            {
                var began = age.Elapsed;
                var body = await ReadAsync(path);
                var isShown = body.Contains(shown, StringComparison.Ordinal)
                    && !body.Contains(removed, StringComparison.Ordinal);
                if (!isShown) last = began;
                return isShown;
            },
            "the changes are shown");
        return last;
    }

    private async Task<bool> IsAppliedAsync(int replaced, int removed)
    {
        await using var connection = new NpgsqlConnection(redis.Shop.Database.Superuser);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(
            "SELECT count(*) FROM read.categories WHERE version > 1 AND id = ANY ($1)", connection);
        command.Parameters.Add(new NpgsqlParameter<int[]> { TypedValue = [replaced, removed] });
        return (long)(await command.ExecuteScalarAsync())! == 2;
    }
}
