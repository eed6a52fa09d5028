using ApexShop.TestKit;

namespace ApexShop.Load.ReadSide;

/// <summary>load/Bare in its own process, with the settings of Queries.Api.</summary>
internal sealed class ControlProcess : IAsyncDisposable
{
    private static readonly TimeSpan startLimit = TimeSpan.FromSeconds(60);

    private static readonly DirectoryInfo output = new(Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory));

    private readonly List<string> files = [];
    private readonly ServerProcess process;

    /// <param name="database">The database of GET /products/{id}; null when it is not needed.</param>
    /// <param name="isOutputCached">Whether responses come from the framework's output cache.</param>
    /// <param name="headers">Header lines of these responses.</param>
    /// <param name="responses">The responses of other paths.</param>
    public ControlProcess(
        string? database,
        bool isOutputCached = false,
        IReadOnlyList<string>? headers = null,
        params IEnumerable<(string Path, byte[] Answer)> responses)
    {
        var folder = Path.Combine(Repository.Root, "load", "Bare", "bin", output.Parent!.Name, output.Name);
        var arguments = new List<string> { Path.Combine(folder, "ApexShop.Bare.dll") };
        foreach (var (path, response) in responses)
        {
            files.Add(Path.GetTempFileName());
            File.WriteAllBytes(files[^1], response);
            arguments.Add($"{path}={files[^1]}");
            if (headers is null) continue;
            files.Add($"{files[^1]}.headers");
            File.WriteAllLines(files[^1], headers);
        }

        var settings = new Dictionary<string, string>
        {
            ["ASPNETCORE_ENVIRONMENT"] = "Production",
            ["ASPNETCORE_URLS"] = Url.ToString(),
            ["Logging__LogLevel__Default"] = "Warning",
        };
        if (isOutputCached) settings["OutputCache"] = "true";
        if (database is not null) settings["ConnectionStrings__Read"] = database;
        process = new ServerProcess("bare", "dotnet", arguments, settings);
    }

    public Uri Url { get; } = new($"http://127.0.0.1:{Loopback.FreePort()}");

    public TimeSpan ProcessorTime => process.ProcessorTime;

    public void Start() => process.Start();

    public async Task StartAsync()
    {
        process.Start();
        using var http = new HttpClient { BaseAddress = Url };
        await process.ReadyAsync(http, "/health/live", startLimit);
    }

    public ValueTask DisposeAsync()
    {
        process.Dispose();
        files.ForEach(File.Delete);
        return ValueTask.CompletedTask;
    }
}
