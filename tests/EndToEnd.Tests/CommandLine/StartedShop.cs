using System.Diagnostics;
using System.Net.Http.Headers;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>A shop that ./apexshop started, with a folder, servers and ports of its own.</summary>
public sealed class StartedShop : IAsyncLifetime
{
    private static readonly string[] portSettings =
    [
        "PG", "RABBITMQ", "RABBITMQ_DIST", "EPMD", "REDIS", "COMMANDS", "QUERIES", "PROJECTOR",
    ];

    private readonly Dictionary<string, int> ports = portSettings.ToDictionary(name => name, _ => Loopback.FreePort());

    public DirectoryInfo State { get; } = Directory.CreateTempSubdirectory("apexshop-started-");

    /// <summary>The repository of the backups; PostgreSQL's user can enter the folder above it.</summary>
    public string Repository => Path.Combine(State.FullName, "all backups");

    public HttpClient Commands { get; private set; } = null!;

    public HttpClient Queries { get; private set; } = null!;

    /// <summary>The virtual host of its RabbitMQ.</summary>
    public Uri Broker => new($"amqp://apexshop:{Secret("RABBITMQ_PASSWORD")}@127.0.0.1:{ports["RABBITMQ"]}/apexshop");

    public RedisReader Redis => new(ports["REDIS"], Secret("REDIS_PASSWORD"));

    private string Superuser =>
        $"Host=127.0.0.1;Port={ports["PG"]};Username=postgres;Password={Secret("POSTGRES_PASSWORD")};"
        + "Database=apexshop;Pooling=false";

    public async Task InitializeAsync()
    {
        // The processes of the tests' build, so that `up` does not build while other tests run.
        await FunctionsAsync("""
            open_state
            for name in $ROLES; do copy_build "$name"; done
            sources >"$STATE/log/built"
            """);
        await VerbAsync("up", "--no-seed");
        Commands = Client("COMMANDS");
        Queries = Client("QUERIES");
    }

    public async Task DisposeAsync()
    {
        Commands?.Dispose();
        Queries?.Dispose();
        await VerbAsync("down");
        State.Delete(recursive: true);
    }

    /// <summary>Runs a verb and expects that it succeeds; its output.</summary>
    public async Task<string> VerbAsync(params string[] arguments)
    {
        var (exitCode, text) = await TryAsync(arguments);
        exitCode.ShouldBe(0, text);
        return text;
    }

    /// <summary>Runs a verb; its output with its errors.</summary>
    public Task<(int ExitCode, string Text)> TryAsync(params string[] arguments) => RunAsync([Script, .. arguments]);

    /// <summary>Runs statements with the functions of the script and expects that they succeed; their output.</summary>
    public async Task<string> FunctionsAsync(string statements, params string[] arguments)
    {
        const string functions = """
            set -euo pipefail
            ROOT=$0
            for part in "$ROOT"/eng/cli/*.sh; do source "$part"; done
            load_settings

            """;
        var (exitCode, text) = await RunAsync(["-c", functions + statements, TestKit.Repository.Root, .. arguments]);
        exitCode.ShouldBe(0, text);
        return text;
    }

    /// <summary>
    /// Starts a verb and kills it with what it runs in the foreground in its first wait in which all files exist.
    /// </summary>
    public async Task KillAtAsync(string[] files, params string[] arguments)
    {
        var start = StartOf([Script, .. arguments]);
        // Bash reads this variable as a function `sleep`; the script then stays in its wait until it is killed.
        var exist = string.Join(" && ", files.Select(file => $"-f $STATE/{file}"));
        start.Environment["BASH_FUNC_sleep%%"] =
            $"() {{ while [[ {exist} ]]; do command sleep 0.1; done; command sleep \"$@\"; }}";
        using var script = ProgramRun.Begin(start);
        var output = Task.WhenAll(script.StandardOutput.ReadToEndAsync(), script.StandardError.ReadToEndAsync());
        await Eventually.Holds(
            () => script.HasExited || files.All(file => File.Exists(Path.Combine(State.FullName, file))),
            "the verb has got that far", TimeSpan.FromMinutes(1));
        script.HasExited.ShouldBeFalse(script.HasExited ? string.Concat(await output) : "");
        script.Kill(entireProcessTree: true);
        await script.WaitForExitAsync();
        await output;
    }

    public async Task<T> ScalarAsync<T>(string sql)
    {
        await using var connection = new NpgsqlConnection(Superuser);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(sql, connection);
        return (T)(await command.ExecuteScalarAsync())!;
    }

    /// <summary>A session that sees the rows of this time until it is disposed of.</summary>
    public async Task<NpgsqlConnection> SnapshotAsync()
    {
        var connection = new NpgsqlConnection(Superuser);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1", connection);
        await command.ExecuteNonQueryAsync();
        return connection;
    }

    private static string Script => Path.Combine(TestKit.Repository.Root, "apexshop");

    private HttpClient Client(string name)
    {
        var client = new HttpClient { BaseAddress = new($"http://127.0.0.1:{ports[name]}") };
        client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Secret("ADMIN_KEY"));
        return client;
    }

    private string Secret(string name) => File.ReadAllLines(Path.Combine(State.FullName, "secrets"))
        .Single(line => line.StartsWith($"{name}=", StringComparison.Ordinal))[(name.Length + 1)..];

    private async Task<(int ExitCode, string Text)> RunAsync(params string[] arguments)
    {
        var run = await ProgramRun.OfAsync(StartOf(arguments));
        return (run.ExitCode, run.Text);
    }

    private ProcessStartInfo StartOf(string[] arguments)
    {
        var start = ProgramRun.StartOfScript(arguments);
        foreach (var (name, port) in ports) start.Environment[$"APEXSHOP_{name}_PORT"] = $"{port}";
        start.Environment["APEXSHOP_STATE"] = State.FullName;
        start.Environment["APEXSHOP_SERVERS"] = "native";
        start.Environment["APEXSHOP_BACKUPS"] = Repository;
        // Redis is waited for, so that each response is stored there.
        start.Environment["Caching__RedisMilliseconds"] = "10000";
        return start;
    }
}
