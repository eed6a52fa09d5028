using ApexShop.Projector.Documents;
using ApexShop.ReadModels;
using Npgsql;
using static ApexShop.Projector.Documents.StatementBatch;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// The steps that a rebuild has completed, in a table beside the staged ones. When its Projector ends, the next rebuild
/// continues after them, if it is of the same program and reads the same log. After a crash of the database the table
/// is empty, as the staged ones are.
/// </summary>
internal sealed class RebuildSteps
{
    /// <summary>The staged tables exist, and have the log up to their checkpoints.</summary>
    public const string Staging = "staging";

    /// <summary>They have the log.</summary>
    public const string Staged = "staged";

    /// <summary>The new tables exist. The next steps are the resources whose documents they have.</summary>
    public const string Created = "created";

    /// <summary>They have everything up to their checkpoints.</summary>
    public const string Filled = "filled";

    private const string Table = RebuiltTables.StagedPrefix + "steps";

    private readonly StatementBatch statements;
    private readonly string run;
    private readonly List<string> completed = [];

    private RebuildSteps(NpgsqlConnection connection, string? logId, string currency)
    {
        statements = new(connection);
        // Another build may write other documents. A log without an identity may be another one at any time.
        var builds = string.Join(' ', new[] { typeof(RebuildSteps), typeof(ReadTables) }.Select(BuildOf));
        run = $"{logId ?? Guid.NewGuid().ToString()} {currency} {builds}";

        static Guid BuildOf(Type type) => type.Module.ModuleVersionId;
    }

    /// <summary>The steps of the rebuild before; if it cannot be continued, its tables are dropped.</summary>
    public static async Task<RebuildSteps> ReadAsync(
        NpgsqlConnection connection, string? logId, string currency, CancellationToken ct)
    {
        var steps = new RebuildSteps(connection, logId, currency);
        await steps.ReadAsync(ct);
        if (steps.completed.Count > 0) return steps;
        await TableDdl.DropAsync(connection, RebuiltTables.Next, ct);
        steps.statements.Add($"CREATE UNLOGGED TABLE {Table} (run text, step text)");
        await steps.statements.RunAsync(ct);
        return steps;
    }

    /// <summary>The last completed step of a rebuild that is continued; null if none is.</summary>
    public string? Last => completed.LastOrDefault();

    public bool Contains(string step) => completed.Contains(step);

    /// <summary>Adds a step, in the transaction of the connection if it has one.</summary>
    public async Task AddAsync(string step, CancellationToken ct)
    {
        statements.Add($"INSERT INTO {Table} VALUES ($1, $2)", Parameter(run), Parameter(step));
        await statements.RunAsync(ct);
        completed.Add(step);
    }

    /// <summary>Removes the steps after <see cref="Staged"/>: the new tables are created and filled again.</summary>
    public async Task ReturnAsync(CancellationToken ct)
    {
        string[] kept = [Staging, Staged];
        statements.Add($"DELETE FROM {Table} WHERE step <> ALL($1)", Parameter(kept));
        await statements.RunAsync(ct);
        completed.RemoveAll(step => !kept.Contains(step));
    }

    private async Task ReadAsync(CancellationToken ct)
    {
        var exists = false;
        statements.Add("SELECT to_regclass($1) IS NOT NULL", row => exists = row.GetBoolean(0), Parameter(Table));
        await statements.RunAsync(ct);
        if (!exists) return;
        statements.Add(
            $"SELECT step FROM {Table} WHERE run = $1 ORDER BY ctid", row => completed.Add(row.GetString(0)), Parameter(run));
        await statements.RunAsync(ct);
    }
}
