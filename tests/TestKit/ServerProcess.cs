using System.Diagnostics;

namespace ApexShop.TestKit;

/// <summary>
/// A process that a test starts, kills with SIGKILL and starts again with the same settings. All its output
/// is kept; its last lines explain a failure.
/// </summary>
public sealed class ServerProcess(
    string name, string file, IEnumerable<string> arguments, IReadOnlyDictionary<string, string> environment)
    : IDisposable
{
    private const int KeptLines = 400;
    private const int LinesThatExplain = 150;

    private static readonly HashSet<ServerProcess> running = [];

    private readonly string[] arguments = [.. arguments];
    private readonly Queue<string> output = new();
    private Process? process;

    // An aborted run leaves nothing behind.
    static ServerProcess() => AppDomain.CurrentDomain.ProcessExit += (_, _) => KillAll();

    public string Name { get; } = name;

    public string WorkingDirectory { get; init; } = Path.GetTempPath();

    /// <summary>The id of the running process.</summary>
    public int Id => process!.Id;

    public bool IsRunning => process is { HasExited: false };

    /// <summary>The processor time of the running process.</summary>
    public TimeSpan ProcessorTime
    {
        get
        {
            process!.Refresh();
            return process.TotalProcessorTime;
        }
    }

    /// <summary>The resident memory of the running process in bytes.</summary>
    public long ResidentBytes
    {
        get
        {
            process!.Refresh();
            return process.WorkingSet64;
        }
    }

    /// <summary>Starts the process without waiting until it is ready.</summary>
    public void Start()
    {
        if (IsRunning) throw new InvalidOperationException($"{Name} runs already.");
        process?.Dispose();
        process = new Process { StartInfo = StartInfo() };
        process.OutputDataReceived += (_, line) => Keep(line.Data);
        process.ErrorDataReceived += (_, line) => Keep(line.Data);
        Keep($"-- {Name} starts");
        process.Start();
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        lock (running) running.Add(this);
    }

    /// <summary>SIGKILL: the process cannot clean up.</summary>
    public async Task KillAsync()
    {
        if (process is null) return;
        Keep($"-- {Name} is killed");
        process.Kill(entireProcessTree: true);
        await process.WaitForExitAsync();
        lock (running) running.Remove(this);
    }

    /// <summary>SIGTERM: the process shuts down gracefully.</summary>
    public Task TerminateAsync() => SignalAsync("TERM");

    /// <summary>Any signal: after STOP the process hangs until CONT.</summary>
    public async Task SignalAsync(string signal)
    {
        Keep($"-- {Name} gets SIG{signal}");
        using var kill = Process.Start("sh", ["-c", $"kill -{signal} {process!.Id}"]);
        await kill.WaitForExitAsync();
    }

    /// <summary>Waits until the process ends and returns its exit code.</summary>
    public async Task<int> ExitAsync(TimeSpan limit)
    {
        await process!.WaitForExitAsync().WaitAsync(limit);
        lock (running) running.Remove(this);
        return process.ExitCode;
    }

    /// <summary>
    /// Asks until <paramref name="ready"/> holds; a process that ends or stays unready fails with its output.
    /// </summary>
    public async Task ReadyAsync(Func<Task<bool>> ready, TimeSpan limit)
    {
        try
        {
            await Eventually.Holds(async () => !IsRunning || await ready(), $"{Name} is ready", limit);
        }
        catch (TimeoutException late)
        {
            throw new InvalidOperationException($"{late.Message}\n{Tail(LinesThatExplain)}", late);
        }

        if (IsRunning) return;
        throw new InvalidOperationException(
            $"{Name} ended with {process?.ExitCode} before it was ready.\n{Tail(LinesThatExplain)}");
    }

    /// <summary>Asks until a request is answered with success.</summary>
    public Task ReadyAsync(HttpClient http, string path, TimeSpan limit) => ReadyAsync(
        async () =>
        {
            try
            {
                using var response = await http.GetAsync(path);
                return response.IsSuccessStatusCode;
            }
            catch (Exception failed) when (ShopProcess.IsDisconnect(failed))
            {
                return false;
            }
        },
        limit);

    /// <summary>The last lines of its output.</summary>
    public string Tail(int lines)
    {
        lock (output) return $"---- {Name}\n{string.Join('\n', output.TakeLast(lines))}\n";
    }

    public void Dispose()
    {
        Kill();
        process?.Dispose();
    }

    private static void KillAll()
    {
        ServerProcess[] all;
        lock (running) all = [.. running];
        foreach (var one in all) one.Kill();
    }

    private void Kill()
    {
        lock (running) if (!running.Remove(this)) return;
        process!.Kill(entireProcessTree: true);
    }

    private ProcessStartInfo StartInfo()
    {
        var start = new ProcessStartInfo(file, arguments)
        {
            WorkingDirectory = WorkingDirectory,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        foreach (var (key, value) in environment) start.Environment[key] = value;
        return start;
    }

    private void Keep(string? line)
    {
        if (line is null) return;
        lock (output)
        {
            output.Enqueue(line);
            if (output.Count > KeptLines) output.Dequeue();
        }
    }
}
