using Npgsql;

namespace ApexShop.TestKit.Comparison;

/// <summary>Reads a shop's tables as the superuser, who sees both schemas.</summary>
public sealed class Database(string connectionString)
{
    public async Task<T> ScalarAsync<T>(string sql, params object[] values)
    {
        await using var connection = new NpgsqlConnection(connectionString);
        await connection.OpenAsync();
        await using var command = Command(sql, connection, values);
        return await command.ExecuteScalarAsync() is T value
            ? value
            : throw new InvalidOperationException($"No {typeof(T).Name}: {sql}");
    }

    /// <summary>Each row as its columns' texts, joined by a space.</summary>
    public async Task<List<string>> RowsAsync(string sql, params object[] values)
    {
        await using var connection = new NpgsqlConnection(connectionString);
        await connection.OpenAsync();
        await using var command = Command(sql, connection, values);
        await using var reader = await command.ExecuteReaderAsync();
        var rows = new List<string>();
        while (await reader.ReadAsync())
        {
            var row = new object[reader.FieldCount];
            reader.GetValues(row);
            rows.Add(string.Join(' ', row));
        }

        return rows;
    }

    private static NpgsqlCommand Command(string sql, NpgsqlConnection connection, object[] values)
    {
        var command = new NpgsqlCommand(sql, connection) { CommandTimeout = 120 };
        foreach (var value in values) command.Parameters.Add(new NpgsqlParameter { Value = value });
        return command;
    }
}
