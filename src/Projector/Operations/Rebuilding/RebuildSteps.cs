using System.Globalization;
using ApexShop.Projector.Documents;
using ApexShop.Projector.EventLog;
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

    // Tables of another schema version must not be in use; those of another server may be of another log.
    private const string RunSql =
        "SELECT concat_ws(' ', $1, max(version), (SELECT read.origin())) FROM read.schema_versions";

    private readonly NpgsqlConnection connection;
    private readonly StatementBatch statements;
    private readonly List<string> completed = [];
    private string run = "";

    private RebuildSteps(NpgsqlConnection connection) =>
        (this.connection, statements) = (connection, new(connection));

    /// <summary>The steps of the rebuild before; if it cannot be continued, its tables are dropped.</summary>
    public static async Task<RebuildSteps> ReadAsync(
        NpgsqlConnection connection, EventLogClient log, string? logId, string currency, CancellationToken ct)
    {
        var steps = new RebuildSteps(connection);
        // Another build may write other documents. A log without an identity may be another one at any time.
        var builds = string.Join(' ', new[] { typeof(RebuildSteps), typeof(ReadTables) }.Select(BuildOf));
        await steps.ReadAsync($"{logId ?? Guid.NewGuid().ToString()} {currency} {builds}", ct);
        if (steps.completed.Count == 0 || !await steps.CanContinueAsync(log, ct)) await steps.BeginAsync(ct);
        return steps;

        static Guid BuildOf(Type type) => type.Module.ModuleVersionId;
    }

    /// <summary>The last completed step of a rebuild that is continued; null if none is.</summary>
    public string? Last => completed.LastOrDefault();

    public bool Contains(string step) => completed.Contains(step);

    /// <summary>The step that the documents of a resource up to an id are in the new table.</summary>
    public static string UpTo(string resource, int id) => $"{resource} {id}";

    /// <summary>The highest id of a resource whose document is in the new table; null before the first.</summary>
    public int? LastId(string resource) =>
        completed
            .Where(step => step.StartsWith($"{resource} ", StringComparison.Ordinal))
            .Max(step => (int?)int.Parse(step.AsSpan(resource.Length), CultureInfo.InvariantCulture));

    /// <summary>Adds a step, in the transaction of the connection if it has one.</summary>
    public async Task AddAsync(string step, CancellationToken ct)
    {
        statements.Add($"INSERT INTO {Table} VALUES ($1, $2)", Parameter(run), Parameter(step));
        await statements.RunAsync(ct);
        completed.Add(step);
    }

    /// <summary>
    /// Adds a suspect and removes the steps after <see cref="Staged"/>: the new tables are created and filled again
    /// without it.
    /// </summary>
    public async Task ReturnToStagedAsync(string resource, int suspect, CancellationToken ct)
    {
        string[] kept = [Staging, Staged];
        StagedSuspects.Add(statements, resource, [suspect]);
        statements.Add($"DELETE FROM {Table} WHERE step <> ALL($1)", Parameter(kept));
        await statements.RunAsync(ct);
        completed.RemoveAll(step => !kept.Contains(step));
    }

    /// <summary>Ends the rebuild in the transaction of the exchange: nothing is left to continue.</summary>
    public async Task EndAsync(CancellationToken ct)
    {
        statements.Add($"DELETE FROM {Table}");
        await statements.RunAsync(ct);
    }

    private async Task BeginAsync(CancellationToken ct)
    {
        completed.Clear();
        await TableDdl.DropAsync(connection, RebuiltTables.Next, ct);
        statements.Add($"CREATE UNLOGGED TABLE {Table} (run text, step text)");
        await statements.RunAsync(ct);
    }

    // A log that was restored may have kept its identity. What is parked may have been healed in the tables in use.
    private async Task<bool> CanContinueAsync(EventLogClient log, CancellationToken ct)
    {
        var isParked = false;
        var prefix = Contains(Filled) ? RebuiltTables.NextPrefix : RebuiltTables.StagedPrefix;
        var checkpoints = await LogContinuity.CheckpointsAsync(new StatementBatch(connection, prefix), ct);
        if (Contains(Filled))
            statements.Add(
                $"SELECT EXISTS (SELECT FROM {prefix}parked_events)", row => isParked = row.GetBoolean(0));
        await statements.RunAsync(ct);
        return !isParked && await LogContinuity.FindBreakAsync(log, checkpoints, ct) is null;
    }

    private async Task ReadAsync(string program, CancellationToken ct)
    {
        statements.Add(RunSql, row => run = row.GetString(0), Parameter(program));
        var exists = false;
        statements.Add("SELECT to_regclass($1) IS NOT NULL", row => exists = row.GetBoolean(0), Parameter(Table));
        await statements.RunAsync(ct);
        if (!exists) return;
        statements.Add(
            $"SELECT step FROM {Table} WHERE run = $1 ORDER BY ctid",
            row => completed.Add(row.GetString(0)),
            Parameter(run));
        await statements.RunAsync(ct);
    }
}
