using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>
/// Statements of a transaction, gathered until one of their results is needed and then sent together: under load a
/// round trip costs more than most of the statements. What a statement answers is there after the next run. The same
/// statements work on the tables that a rebuild makes beside the others, in <paramref name="schema"/>.
/// </summary>
internal sealed class StatementBatch(NpgsqlConnection connection, string schema = ReadTables.Schema)
{
    private readonly List<(NpgsqlBatchCommand Command, Action<NpgsqlDataReader>? Row)> statements = [];

    public void Add(string sql, params ReadOnlySpan<NpgsqlParameter> parameters) => Add(sql, null, parameters);

    /// <summary>Adds a statement that answers rows.</summary>
    public void Add(string sql, Action<NpgsqlDataReader>? row, params ReadOnlySpan<NpgsqlParameter> parameters)
    {
        var command = new NpgsqlBatchCommand(In(schema, sql));
        foreach (var parameter in parameters) command.Parameters.Add(parameter);
        statements.Add((command, row));
    }

    public async Task RunAsync(CancellationToken ct)
    {
        if (statements.Count == 0) return;

        await using var batch = new NpgsqlBatch(connection);
        foreach (var (command, _) in statements) batch.BatchCommands.Add(command);
        var answering = statements.Select(statement => statement.Row).OfType<Action<NpgsqlDataReader>>().ToList();
        statements.Clear();

        await using var reader = await batch.ExecuteReaderAsync(ct);
        foreach (var row in answering)
        {
            while (await reader.ReadAsync(ct)) row(reader);
            await reader.NextResultAsync(ct);
        }
    }

    /// <summary>
    /// Does the work behind a savepoint. When the database refuses a value in it, all of it is taken back and the reason
    /// given.
    /// </summary>
    public async Task<string?> TryAsync(Func<Task> work, CancellationToken ct)
    {
        Add("SAVEPOINT attempt");
        try
        {
            await work();
            Add("RELEASE SAVEPOINT attempt");
            await RunAsync(ct);
            return null;
        }
        catch (PostgresException exception) when (IsDataFault(exception))
        {
            // What was gathered and not sent belongs to it too.
            statements.Clear();
            Add("ROLLBACK TO SAVEPOINT attempt");
            await RunAsync(ct);
            ForgetStatements(connection);
            return exception.MessageText;
        }
    }

    /// <summary>The value is at fault and no repetition helps: data exception or integrity violation.</summary>
    public static bool IsDataFault(PostgresException exception) =>
        exception.SqlState.StartsWith("22", StringComparison.Ordinal)
        || exception.SqlState.StartsWith("23", StringComparison.Ordinal);

    /// <summary>
    /// Npgsql 10.0 takes a statement that was refused while it was being prepared for one that answers no rows, and
    /// fails when the connection runs it again (its issue 6391). After a refusal a connection prepares all anew.
    /// </summary>
    public static void ForgetStatements(NpgsqlConnection connection) => connection.UnprepareAll();

    private static string In(string schema, string sql) => schema == ReadTables.Schema
        ? sql
        : sql.Replace($"{ReadTables.Schema}.", $"{schema}.", StringComparison.Ordinal);

    public static NpgsqlParameter Parameter<T>(T value) => new NpgsqlParameter<T> { TypedValue = value };
}
