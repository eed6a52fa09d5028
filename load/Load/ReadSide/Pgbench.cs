using System.Globalization;
using System.Text.RegularExpressions;
using Npgsql;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// pgbench with prepared statements on the same database, with the role and the planner's settings that the query API's
/// connections have; with 32 clients unless stated.
/// </summary>
internal sealed partial class Pgbench(string connectionString, string settings, int clients = Wrk.Connections)
    : IDisposable
{
    // The least number of statements that are sent in a pipeline.
    private const int Pipeline = 16;

    private readonly List<string> texts = [];
    private readonly List<string> files = [];
    private readonly List<string> variables = [];

    [GeneratedRegex(@"number of failed transactions: (\d+)")]
    private static partial Regex Failed { get; }

    [GeneratedRegex(@"^tps = ([0-9.]+)", RegexOptions.Multiline)]
    private static partial Regex Rate { get; }

    [GeneratedRegex(@"'(?:[^']|'')*\[:(?:[^']|'')*'")]
    private static partial Regex TextWithClass { get; }

    /// <summary>One transaction of the mix, in pgbench's own language.</summary>
    public Pgbench Script(string text)
    {
        texts.Add(text);
        return this;
    }

    /// <summary>The same for a statement of the query API.</summary>
    public Pgbench Statement(NpgsqlBatchCommand command)
    {
        var text = WithoutClasses(command.CommandText.ReplaceLineEndings(" "));
        for (var i = command.Parameters.Count; i > 0; i--)
        {
            var name = string.Create(CultureInfo.InvariantCulture, $"s{texts.Count}_{i}");
            text = text.Replace(
                string.Create(CultureInfo.InvariantCulture, $"${i}"), $":{name}", StringComparison.Ordinal);
            variables.Add($"{name}={Value(command.Parameters[i - 1].Value)}");
        }

        return Script(text + ";");
    }

    /// <summary>Transactions a second.</summary>
    public Task<double> RateAsync(TimeSpan duration, CancellationToken ct) => RateAsync(texts, duration, ct);

    /// <summary>
    /// Statements a second when each client sends all of them before it waits for the first result. They are one
    /// script, since each client prepares each statement of each script.
    /// </summary>
    public async Task<double> PipelinedRateAsync(TimeSpan duration, CancellationToken ct)
    {
        var times = (Pipeline + texts.Count - 1) / texts.Count;
        var all = string.Join('\n', Enumerable.Repeat(texts, times).SelectMany(text => text));
        return times * texts.Count
            * await RateAsync([$"\\startpipeline\n{all}\n\\endpipeline"], duration, ct);
    }

    public void Dispose()
    {
        foreach (var file in files) File.Delete(file);
    }

    private async Task<double> RateAsync(List<string> scripts, TimeSpan duration, CancellationToken ct)
    {
        var at = new NpgsqlConnectionStringBuilder(connectionString);
        string[] arguments =
        [
            "-n", "-M", "prepared", "-j", "1", "-c", $"{clients}", "-T",
            $"{Math.Max(1, (int)duration.TotalSeconds)}",
            .. scripts.SelectMany(script => (string[])["-f", Save(script)]),
            .. variables.SelectMany(value => (string[])["-D", value]),
            "-h", at.Host!, "-p", $"{at.Port}", "-U", at.Username!, at.Database!,
        ];
        var environment = new Dictionary<string, string> { ["PGPASSWORD"] = at.Password!, ["PGOPTIONS"] = settings };
        var printed = await Tool.RunAsync(Program(), arguments, environment, ct);
        var (failed, rate) = (Failed.Match(printed), Rate.Match(printed));
        if (failed is not { Success: true, Groups: [_, { Value: "0" }] } || !rate.Success)
            throw new InvalidOperationException(
                $"Not every transaction of pgbench was good, or there was none:\n{printed}");
        return double.Parse(rate.Groups[1].ValueSpan, CultureInfo.InvariantCulture);
    }

    // pgbench takes the class [:space:] of a regular expression for a variable. PostgreSQL joins the parts once, while
    // it plans the statement.
    private static string WithoutClasses(string sql) => TextWithClass.Replace(
        sql, text => $"({text.Value.Replace("[:", "[' || chr(58) || '", StringComparison.Ordinal)})");

    private string Save(string text)
    {
        var file = Path.GetTempFileName();
        files.Add(file);
        File.WriteAllText(file, text + "\n");
        return file;
    }

    private static string Value(object? value) => value is DateTime time
        ? time.ToString("O", CultureInfo.InvariantCulture)
        : string.Create(CultureInfo.InvariantCulture, $"{value}");

    // Debian installs it beside the server; its wrapper on the PATH may not find our server.
    private static string Program() => Environment.GetEnvironmentVariable("APEXSHOP_PGBENCH") ?? "pgbench";
}
