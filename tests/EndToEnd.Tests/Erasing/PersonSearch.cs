using System.Text;
using ApexShop.TestKit;

namespace ApexShop.EndToEnd.Tests.Erasing;

/// <summary>Searches what a shop stores and serves for lower-case texts; each search returns those it finds.</summary>
internal sealed class PersonSearch(Shop shop, PrivateRedis redis)
{
    public ShopState State { get; } = new(shop);

    /// <summary>Every column of every table of a schema; bytes are compared as hexadecimal digits.</summary>
    public async Task<List<string>> TablesAsync(string schema, IReadOnlyList<string> texts, string except = "")
    {
        var tables = await State.Database.RowsAsync(
            "SELECT tablename FROM pg_tables WHERE schemaname = $1 AND tablename <> $2", schema, except);
        tables.ShouldNotBeEmpty();
        var content = new StringBuilder();
        foreach (var table in tables)
        {
            foreach (var row in await State.Database.RowsAsync($"SELECT t::text FROM {schema}.\"{table}\" AS t"))
                content.AppendLine(row);
        }

        return Find(content.ToString(), texts);
    }

    /// <summary>The schemas of documents and commands.</summary>
    public Task<List<string>> SchemasAsync() => State.Database.RowsAsync(
        "SELECT DISTINCT schemaname FROM pg_tables WHERE schemaname = 'shop' OR schemaname LIKE 'read%'");

    /// <summary>The whole log over HTTP.</summary>
    public async Task<List<string>> EventsAsync(IReadOnlyList<string> texts) =>
        Find(await shop.Commands.Http.GetStringAsync("/events"), texts);

    /// <summary>All documents over HTTP: streams, and pages, which are cached.</summary>
    public async Task<List<string>> DocumentsAsync(IReadOnlyList<string> texts)
    {
        var content = new StringBuilder();
        foreach (var path in (string[])[
            "/users/stream", "/orders/stream", "/reviews/stream", "/users/cursor?pageSize=100",
            "/orders/cursor?pageSize=100", "/reviews/cursor?pageSize=100", "/reviews?pageSize=100",
            "/reviews/v2?pageSize=100",
        ])
        {
            using var response = await shop.Queries.Http.GetAsync(path);
            content.AppendLine(await response.EnsureSuccessStatusCode().Content.ReadAsStringAsync());
        }

        return Find(content.ToString(), texts);
    }

    /// <summary>All keys and values of Redis.</summary>
    public async Task<List<string>> RedisAsync(IReadOnlyList<string> texts) =>
        Find(await redis.ContentAsync(), texts);

    /// <summary>The events without their data.</summary>
    public Task<List<string>> EntriesAsync() => State.Database.RowsAsync(
        """
        SELECT concat_ws('|', position, previous, event_id, type, resource, aggregate_id, version, time, trace_parent,
            actor)
        FROM shop.events ORDER BY position
        """);

    private static List<string> Find(string content, IReadOnlyList<string> texts)
    {
        var lower = content.ToLowerInvariant();
        return [.. texts.Where(text => lower.Contains(text, StringComparison.Ordinal)
            || lower.Contains(Convert.ToHexStringLower(Encoding.UTF8.GetBytes(text)), StringComparison.Ordinal))];
    }
}
