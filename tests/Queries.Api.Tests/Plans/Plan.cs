using System.Globalization;
using System.Text.Json;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Plans;

/// <summary>The plan of a statement and what it read.</summary>
internal sealed class Plan
{
    // The look into the pending names is the same in every plan; without any, it reads no row.
    private Plan(JsonElement root) => Nodes = [.. Below(root).Where(node => !IsOfPendingNames(node))];

    public IReadOnlyList<JsonElement> Nodes { get; }

    public IEnumerable<string> Types => Nodes.Select(node => node.GetProperty("Node Type").GetString()!);

    public long Buffers => Number(Nodes[0], "Shared Hit Blocks") + Number(Nodes[0], "Shared Read Blocks");

    /// <summary>Rows that were fetched from tables, also those that a filter removed.</summary>
    public long RowsRead => Nodes.Where(node => node.TryGetProperty("Relation Name", out _)).Sum(Rows);

    /// <summary>The most rows that were fetched from one table.</summary>
    public long MostRowsRead => Nodes.Where(node => node.TryGetProperty("Relation Name", out _)).Max(Rows);

    public override string ToString() => string.Join(" > ", Nodes.Select(node =>
        $"{node.GetProperty("Node Type")} {(node.TryGetProperty("Index Name", out var index) ? index : "")} "
        + $"{node.GetProperty("Actual Rows")}-{Number(node, "Rows Removed by Filter")}"
        + $"x{node.GetProperty("Actual Loops")}"));

    /// <summary>Runs the statement prepared, in a session with these settings.</summary>
    public static async Task<Plan> OfAsync(string connectionString, string settings, NpgsqlBatchCommand asked)
    {
        await using var connection = new NpgsqlConnection(
            new NpgsqlConnectionStringBuilder(connectionString) { Options = settings }.ConnectionString);
        await connection.OpenAsync();
        var types = string.Join(", ", asked.Parameters.Select(parameter => Type(parameter.Value!)));
        var values = string.Join(", ", asked.Parameters.Select(parameter => Literal(parameter.Value!)));
        await using var command = new NpgsqlCommand(
            $"""
            PREPARE asked{(types.Length > 0 ? $" ({types})" : "")} AS {asked.CommandText};
            EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE asked{(types.Length > 0 ? $" ({values})" : "")}
            """,
            connection);
        return new Plan(JsonElement.Parse((string)(await command.ExecuteScalarAsync())!)[0].GetProperty("Plan"));
    }

    private static bool IsOfPendingNames(JsonElement node) =>
        node.TryGetProperty("Relation Name", out var table) && table.GetString() == "pending_names";

    private static string Type(object value) => value switch
    {
        int => "integer",
        int[] => "integer[]",
        long => "bigint",
        decimal => "numeric",
        string => "text",
        string[] => "text[]",
        DateTime => "timestamptz",
        byte[] => "bytea",
        _ => throw new ArgumentOutOfRangeException(nameof(value)),
    };

    private static string Literal(object value) => value switch
    {
        int[] all => $"'{{{string.Join(',', all)}}}'",
        string[] all => $"'{{{string.Join(',', all)}}}'",
        byte[] bytes => $@"'\x{Convert.ToHexString(bytes)}'",
        DateTime time => string.Create(CultureInfo.InvariantCulture, $"'{time:yyyy-MM-dd HH:mm:ss.ffffff}Z'"),
        _ => string.Create(CultureInfo.InvariantCulture, $"'{value}'"),
    };

    private static long Rows(JsonElement node) => (long)Math.Ceiling(
        (node.GetProperty("Actual Rows").GetDouble()
            + Number(node, "Rows Removed by Filter")
            + Number(node, "Rows Removed by Index Recheck"))
        * node.GetProperty("Actual Loops").GetDouble());

    private static long Number(JsonElement node, string name) =>
        node.TryGetProperty(name, out var value) ? value.GetInt64() : 0;

    private static IEnumerable<JsonElement> Below(JsonElement node) =>
        node.TryGetProperty("Plans", out var children)
            ? [node, .. children.EnumerateArray().SelectMany(Below)]
            : [node];
}
