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
    // The bound is two seconds from the commit; the rest is for two polls and a request on a loaded machine.
    private static readonly TimeSpan limit = TimeSpan.FromSeconds(2.7);

    public static TheoryData<string> States => [.. CutOffRedis.States];

    [Theory]
    [MemberData(nameof(States))]
    public async Task A_change_is_visible_within_the_bound_whatever_the_state_of_Redis(string state)
    {
        var client = new ShopClient(redis.Shop);
        var category = await client.CreatedAsync(Resource.Categories.Name, Bodies.Category($"Before {state}"));
        var removed = await client.CreatedAsync(Resource.Categories.Name, Bodies.Category($"Removed {state}"));
        await client.SeesAsync(Resource.Categories.Name, removed, _ => true);
        await redis.ReadyAsync("ok");
        await ReadAsync(category);
        await redis.BreakAsync(state);
        try
        {
            await client.ReplaceAsync(Resource.Categories.Name, category, Bodies.Category($"After {state}"));
            await client.DeleteAsync(Resource.Categories.Name, removed);
            await Eventually.Holds(() => IsAppliedAsync(category, removed), "the changes are applied");
            var age = Stopwatch.StartNew();
            await Eventually.Holds(
                async () => IsShown(await ReadAsync(category), removed, $"After {state}"), "the changes are shown");
            age.Elapsed.ShouldBeLessThan(limit);
            await redis.ReadyAsync("unavailable");
        }
        finally
        {
            await redis.RepairAsync();
        }

        await redis.ReadyAsync("ok");
    }

    private static bool IsShown((string Document, string Page) read, int removed, string name) =>
        read.Document.Contains(name, StringComparison.Ordinal) && read.Page.Contains(name, StringComparison.Ordinal)
        && !read.Page.Contains($"\"id\":{removed},", StringComparison.Ordinal);

    private async Task<(string Document, string Page)> ReadAsync(int id) => (
        await redis.Shop.Queries.Http.GetStringAsync($"/categories/{id}"),
        await redis.Shop.Queries.Http.GetStringAsync("/categories/cursor?pageSize=100"));

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
