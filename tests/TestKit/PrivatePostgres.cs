using Npgsql;

namespace ApexShop.TestKit;

/// <summary>
/// A PostgreSQL of one test, which may kill and restart it on the same port with the same data.
/// </summary>
public sealed class PrivatePostgres : IAsyncDisposable
{
    private static readonly string[] asPostgres =
        Environment.UserName == "root" ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] : ["env"];

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("apexshop-postgres-");
    
    private PrivatePostgres()
    {
        string[] command =
        [
            .. asPostgres, Program("postgres"), "-D", Data, "-c", $"port={Port}", "-c", "listen_addresses=127.0.0.1",
            "-c", "unix_socket_directories=", "-c", "max_connections=300", "-c", "fsync=off",
        ];
        Node = new ServerProcess("postgres", command[0], command[1..], new Dictionary<string, string>());
    }

    /// <summary>The superuser's connection string.</summary>
    public string Superuser => $"Host=127.0.0.1;Port={Port};Username=postgres;Database=postgres";

    public int Port { get; } = Loopback.FreePort();

    public ServerProcess Node { get; }

    private string Data => Path.Combine(folder.FullName, "data");

    public static Task<PrivatePostgres> StartAsync() =>
        StartAsync("initdb", "-U", "postgres", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8");

    /// <summary>A replica, which follows this server.</summary>
    public Task<PrivatePostgres> FollowAsync() => StartAsync(
        "pg_basebackup", "-h", "127.0.0.1", "-p", $"{Port}", "-U", "postgres", "--write-recovery-conf",
        "--checkpoint=fast", "--no-sync");

    private static async Task<PrivatePostgres> StartAsync(string maker, params string[] arguments)
    {
        var server = new PrivatePostgres();
        if (asPostgres[0] == "setpriv") await RunAsync("chown", "postgres", server.folder.FullName);
        string[] make = [.. asPostgres, Program(maker), "-D", server.Data, .. arguments];
        await RunAsync(make[0], make[1..]);
        server.Node.Start();
        await server.ReadyAsync();
        return server;
    }

    /// <summary>Waits until the server accepts a client.</summary>
    public Task ReadyAsync() => Node.ReadyAsync(AcceptsAsync, TimeSpan.FromSeconds(60));

    public async ValueTask DisposeAsync()
    {
        NpgsqlConnection.ClearAllPools();
        await Node.KillAsync();
        Node.Dispose();
        folder.Delete(recursive: true);
    }

    private async Task<bool> AcceptsAsync()
    {
        try
        {
            await using var connection = new NpgsqlConnection($"{Superuser};Pooling=false");
            await connection.OpenAsync();
            return true;
        }
        catch (NpgsqlException)
        {
            return false;
        }
    }

    internal static string Program(string name) =>
        Directory.EnumerateDirectories("/usr/lib/postgresql").OrderDescending()
            .Select(version => Path.Combine(version, "bin", name)).FirstOrDefault(File.Exists) ?? name;

    private static async Task RunAsync(string program, params string[] arguments)
    {
        using var run = new ServerProcess(program, program, arguments, new Dictionary<string, string>());
        run.Start();
        if (await run.ExitAsync(TimeSpan.FromMinutes(1)) != 0) throw new InvalidOperationException(run.Tail(40));
    }
}
