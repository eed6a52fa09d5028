using ApexShop.TestKit;

namespace ApexShop.Load.ReadSide;

/// <summary>load/Bare in its own process, with the settings of Queries.Api.</summary>
internal sealed class ControlProcess : IAsyncDisposable
{
    private static readonly TimeSpan startLimit = TimeSpan.FromSeconds(60);

    private static readonly DirectoryInfo output = new(Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory));

    private readonly List<string> files = [];
    private readonly ServerProcess process;

    public ControlProcess(params IEnumerable<(string Path, byte[] Answer)> responses)
    {
        var folder = Path.Combine(Repository.Root, "load", "Bare", "bin", output.Parent!.Name, output.Name);
        var arguments = new List<string> { Path.Combine(folder, "ApexShop.Bare.dll") };
        foreach (var (path, response) in responses)
        {
            files.Add(Path.GetTempFileName());
            File.WriteAllBytes(files[^1], response);
            arguments.Add($"{path}={files[^1]}");
        }

        process = new ServerProcess("bare", "dotnet", arguments, new Dictionary<string, string>
        {
            ["ASPNETCORE_ENVIRONMENT"] = "Production",
            ["ASPNETCORE_URLS"] = Url.ToString(),
            ["Logging__LogLevel__Default"] = "Warning",
        });
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
