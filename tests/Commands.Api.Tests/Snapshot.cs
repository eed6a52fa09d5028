using ApexShop.Resources;

namespace ApexShop.Commands.Api.Tests;

/// <summary>
/// Everything the commands can change, as one text: equal before and after means that nothing was changed.
/// </summary>
internal static class Snapshot
{
    private static readonly string[] tables =
        [.. Resource.Names, "order_items", "outbox"];

    public static async Task<string> SnapshotAsync(this CommandsApp app)
    {
        var hashes = new List<string>();
        foreach (var table in tables)
        {
            var hash = await app.ScalarAsync<string>(
                "SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, chr(10) ORDER BY t::text COLLATE "
                + $"\"C\")), '') FROM shop.{table} AS t");
            hashes.Add($"{table} {hash}");
        }

        return string.Join('\n', hashes);
    }
}
