using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace ApexShop.TestKit;

/// <summary>
/// A RabbitMQ node of one test, which may kill and restart it on the same port with the same data.
/// </summary>
public sealed class PrivateBroker : IAsyncDisposable
{
    private static readonly string[] places =
    [
        "/usr/lib/rabbitmq/bin/rabbitmq-server",
        "/usr/local/sbin/rabbitmq-server",
        "/opt/homebrew/sbin/rabbitmq-server",
        "/opt/rabbitmq/sbin/rabbitmq-server",
    ];

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("apexshop-broker-");
    private readonly ServerProcess names;

    private PrivateBroker()
    {
        var port = Loopback.FreePort();
        Url = new Uri($"amqp://apexshop:test@127.0.0.1:{port}/apexshop");
        var environment = Configure(port);
        names = new ServerProcess(
            "epmd", "epmd", ["-address", "127.0.0.1", "-port", environment["ERL_EPMD_PORT"]], environment);
        var server = Find();
        Node = new ServerProcess("rabbitmq", server, [], environment) { WorkingDirectory = folder.FullName };
        Environment = new Dictionary<string, string>(environment)
        {
            ["PATH"] = $"{Path.GetDirectoryName(server)}:{System.Environment.GetEnvironmentVariable("PATH")}",
        };
    }

    public Uri Url { get; }

    /// <summary>The variables with which <c>rabbitmqctl</c> finds this node.</summary>
    public IReadOnlyDictionary<string, string> Environment { get; }

    public ServerProcess Node { get; }

    public static async Task<PrivateBroker> StartAsync()
    {
        var broker = new PrivateBroker();
        // The node would start a name server, which would outlive it.
        broker.names.Start();
        broker.Node.Start();
        await broker.ReadyAsync();
        return broker;
    }

    /// <summary>Waits until the broker accepts a client.</summary>
    public Task ReadyAsync() => Node.ReadyAsync(AcceptsAsync, TimeSpan.FromMinutes(3));

    public async ValueTask DisposeAsync()
    {
        // A node that still runs writes to the folder while it is deleted.
        foreach (var server in (ServerProcess[])[Node, names])
        {
            await server.KillAsync();
            server.Dispose();
        }

        folder.Delete(recursive: true);
    }

    private Dictionary<string, string> Configure(int port)
    {
        var configuration = Path.Combine(folder.FullName, "rabbitmq.conf");
        var plugins = Path.Combine(folder.FullName, "enabled_plugins");
        File.WriteAllText(plugins, "[].");
        File.WriteAllText(configuration, $"""
            listeners.tcp.1 = 127.0.0.1:{port}
            default_user = apexshop
            default_pass = test
            default_vhost = apexshop
            default_permissions.configure = .*
            default_permissions.read = .*
            default_permissions.write = .*
            log.console = true
            log.console.level = warning

            """);
        return new Dictionary<string, string>
        {
            ["HOME"] = folder.FullName,
            ["RABBITMQ_NODENAME"] = $"apexshop_test_{port}@localhost",
            ["RABBITMQ_CONFIG_FILE"] = configuration,
            ["RABBITMQ_ENABLED_PLUGINS_FILE"] = plugins,
            ["RABBITMQ_MNESIA_BASE"] = Path.Combine(folder.FullName, "mnesia"),
            ["RABBITMQ_LOG_BASE"] = Path.Combine(folder.FullName, "log"),
            ["RABBITMQ_PID_FILE"] = Path.Combine(folder.FullName, "pid"),
            ["RABBITMQ_CONF_ENV_FILE"] = Path.Combine(folder.FullName, "rabbitmq-env.conf"),
            ["RABBITMQ_DIST_PORT"] = $"{Loopback.FreePort()}",
            ["ERL_EPMD_PORT"] = $"{Loopback.FreePort()}",
            ["ERL_EPMD_ADDRESS"] = "127.0.0.1",
            // Replaces the script: one process to kill, which also ends with its input, that is, with the
            // tests.
            ["RABBITMQ_ALLOW_INPUT"] = "true",
        };
    }

    private static string Find() =>
        places.FirstOrDefault(File.Exists)
        ?? throw new InvalidOperationException(
            "The tests restart a private broker and need RabbitMQ in one of these places: "
            + $"{string.Join(", ", places)}");

    private async Task<bool> AcceptsAsync()
    {
        try
        {
            await using var connection = await new ConnectionFactory { Uri = Url }.CreateConnectionAsync();
            return connection.IsOpen;
        }
        catch (BrokerUnreachableException)
        {
            return false;
        }
    }
}
