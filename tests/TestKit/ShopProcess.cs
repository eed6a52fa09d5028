using System.Net.Sockets;

namespace ApexShop.TestKit;

/// <summary>One running ApexShop process with its address.</summary>
public sealed class ShopProcess : IAsyncDisposable
{
    private static readonly TimeSpan startLimit = TimeSpan.FromMinutes(3);

    private readonly string program;
    private readonly Dictionary<string, string> environment;
    private ServerProcess process;

    public ShopProcess(string program, string name, Dictionary<string, string> environment)
    {
        Url = new Uri($"http://127.0.0.1:{Loopback.FreePort()}");
        environment["ASPNETCORE_URLS"] = Url.ToString();
        environment["ASPNETCORE_ENVIRONMENT"] = "Production";
        (this.program, this.environment) = (program, environment);
        process = ShopPrograms.Create(program, name, environment);
        Http = new HttpClient { BaseAddress = Url, Timeout = TimeSpan.FromSeconds(100) };
        Http.DefaultRequestHeaders.Authorization = new("Bearer", TestKeys.Everything);
    }

    public string Name => process.Name;

    public int Id => process.Id;

    public Uri Url { get; }

    public bool IsRunning => process.IsRunning;

    /// <summary>A client with every scope.</summary>
    public HttpClient Http { get; }

    public TimeSpan ProcessorTime => process.ProcessorTime;

    public long ResidentBytes => process.ResidentBytes;

    /// <summary>A setting that is known only after the process has its address; it holds from the next start.</summary>
    public void Set(string name, string value) => environment[name] = value;

    /// <summary>The program is that in another folder from the next start on.</summary>
    public void RunFrom(string folder)
    {
        process.Dispose();
        process = ShopPrograms.CreateFrom(folder, program, Name, environment);
    }

    public void Start() => process.Start();

    public async Task StartAsync()
    {
        process.Start();
        await ReadyAsync();
    }

    public Task ReadyAsync() => process.ReadyAsync(Http, "/health/ready", startLimit);

    public Task LiveAsync() => process.ReadyAsync(Http, "/health/live", startLimit);

    public Task KillAsync() => process.KillAsync();

    /// <summary>SIGTERM; see <see cref="ExitAsync"/>.</summary>
    public Task TerminateAsync() => process.TerminateAsync();

    /// <summary>Any signal: after STOP the process hangs until CONT.</summary>
    public Task SignalAsync(string signal) => process.SignalAsync(signal);

    /// <summary>Waits for the end and returns the exit code.</summary>
    public Task<int> ExitAsync() => process.ExitAsync(TimeSpan.FromSeconds(60));

    public string Tail(int lines) => process.Tail(lines);

    public ValueTask DisposeAsync()
    {
        process.Dispose();
        Http.Dispose();
        return ValueTask.CompletedTask;
    }

    /// <summary>
    /// No connection, or one that ended. If a process is killed just after it accepted a connection, HttpClient throws
    /// the SocketException itself.
    /// </summary>
    public static bool IsDisconnect(Exception failed) =>
        failed is HttpRequestException or IOException or SocketException;
}
