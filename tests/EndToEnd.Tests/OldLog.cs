using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.EndToEnd.Tests;

/// <summary>A log whose events are older than they are kept.</summary>
internal static class OldLog
{
    /// <summary>
    /// Removes every event that a later one replaces, as Commands.Api does when it is old, when all are published.
    /// </summary>
    public static async Task CompactAsync(Shop shop)
    {
        await using var database = NpgsqlDataSource.Create(shop.Database.Superuser);
        await using var age = database.CreateCommand("UPDATE shop.events SET time = now() - interval '3 days'");
        await age.ExecuteNonQueryAsync();
        await using var compact = database.CreateCommand(
            "SELECT removed FROM shop.compact_log(now() - interval '2 days', 1000)");
        await using var rest = database.CreateCommand(
            "SELECT l.position - c.position FROM shop.log_positions l, shop.log_compaction c WHERE l.name = 'head'");
        await Eventually.Holds(
            async () =>
            {
                await compact.ExecuteNonQueryAsync();
                return await rest.ExecuteScalarAsync() is 0L;
            },
            "all events are published and compacted");
    }
}
