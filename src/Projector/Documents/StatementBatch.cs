using System.Data;
using ApexShop.ReadModels;
using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>
/// Statements of a transaction that are sent together once one of their results is needed: under load a round trip
/// costs more than most statements. A result is available after the next run. A rebuild runs the same statements on its
/// own tables, whose names begin with <paramref name="prefix"/>.
/// </summary>
internal sealed class StatementBatch(NpgsqlConnection connection, string prefix = StatementBatch.TablesInUse)
{
    private const string TablesInUse = ReadTables.Schema + ".";

    private readonly List<(NpgsqlBatchCommand Command, Action<NpgsqlDataReader>? Row)> statements = [];

    /// <summary>Seconds that a run may take, 0 for any time; null for the usual ones.</summary>
    public int? Timeout { get; init; }

    public bool IsOfTablesInUse => prefix == TablesInUse;

    /// <summary>Runs the work in a transaction, which is rolled back unless the work commits it.</summary>
    public static async Task<T> InTransactionAsync<T>(
        NpgsqlDataSource database, Func<StatementBatch, NpgsqlTransaction, Task<T>> work, CancellationToken ct)
    {
        await using var connection = await database.OpenConnectionAsync(ct);
        await using var transaction = await connection.BeginTransactionAsync(ct);
        try
        {
            return await work(new StatementBatch(connection), transaction);
        }
        catch (PostgresException) when (connection.FullState == ConnectionState.Open)
        {
            await transaction.RollbackAsync(ct);
            Unprepare(connection);
            throw;
        }
    }

    public void Add(string sql, params ReadOnlySpan<NpgsqlParameter> parameters) => Add(sql, null, parameters);

    /// <summary>Adds a statement that returns rows; <paramref name="row"/> is called for each during the run.</summary>
    public void Add(string sql, Action<NpgsqlDataReader>? row, params ReadOnlySpan<NpgsqlParameter> parameters)
    {
        var command = new NpgsqlBatchCommand(WithPrefix(sql));
        foreach (var parameter in parameters) command.Parameters.Add(parameter);
        statements.Add((command, row));
    }

    public async Task RunAsync(CancellationToken ct)
    {
        if (statements.Count == 0) return;

        await using var batch = new NpgsqlBatch(connection);
        if (Timeout is { } seconds) batch.Timeout = seconds;
        foreach (var (command, _) in statements) batch.BatchCommands.Add(command);
        var rows = statements.Select(statement => statement.Row).OfType<Action<NpgsqlDataReader>>().ToList();
        statements.Clear();

        await using var reader = await batch.ExecuteReaderAsync(ct);
        foreach (var row in rows)
        {
            while (await reader.ReadAsync(ct)) row(reader);
            await reader.NextResultAsync(ct);
        }
    }

    /// <summary>
    /// Runs the work after a savepoint. When the database refuses a value, all of the work is rolled back and the
    /// reason is returned.
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
            // Statements that were added and not sent belong to the work too.
            statements.Clear();
            Add("ROLLBACK TO SAVEPOINT attempt");
            await RunAsync(ct);
            Unprepare(connection);
            return exception.MessageText;
        }
    }

    /// <summary>Whether a value is at fault, so that no retry helps: data exception or integrity violation.</summary>
    public static bool IsDataFault(PostgresException exception) =>
        exception.SqlState.StartsWith("22", StringComparison.Ordinal)
        || exception.SqlState.StartsWith("23", StringComparison.Ordinal);

    public static NpgsqlParameter Parameter<T>(T value) => new NpgsqlParameter<T> { TypedValue = value };

    // Npgsql 10.0 keeps a statement that was refused while it was prepared as one that returns no rows, and fails
    // when the connection runs it again (its issue 6391).
    private static void Unprepare(NpgsqlConnection connection) => connection.UnprepareAll();

    private string WithPrefix(string sql) =>
        IsOfTablesInUse ? sql : sql.Replace(TablesInUse, prefix, StringComparison.Ordinal);
}
