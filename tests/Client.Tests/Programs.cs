using ApexShop.TestKit;

namespace ApexShop.Client.Tests;

/// <summary>Programs in a temporary folder, which use the packages as a customer of the registry does.</summary>
internal sealed class Programs : IDisposable
{
    private static readonly TimeSpan limit = TimeSpan.FromMinutes(3);

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("apexshop-client-");

    public string Folder => folder.FullName;

    public static string Configuration => new DirectoryInfo(AppContext.BaseDirectory).Parent!.Name;

    public static string MachinePackages => Environment.GetEnvironmentVariable("NUGET_PACKAGES")
        ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");

    public void Write(string file, string text) => File.WriteAllText(Path.Combine(Folder, file), text);

    public void Copy(params string[] path) =>
        File.Copy(Path.Combine([Repository.Root, .. path]), Path.Combine(Folder, path[^1]));

    /// <summary>Runs a program to its successful end and returns its output.</summary>
    public async Task<string> RunAsync(
        IReadOnlyDictionary<string, string> environment, string program, params string[] arguments)
    {
        var (exit, output) = await EndAsync(environment, program, arguments);
        exit.ShouldBe(0, output);
        return output;
    }

    /// <summary>Runs a program to its end and returns its exit code and its output.</summary>
    public async Task<(int Exit, string Output)> EndAsync(
        IReadOnlyDictionary<string, string> environment, string program, params string[] arguments)
    {
        using var run = new ServerProcess(program, program, arguments, environment) { WorkingDirectory = Folder };
        run.Start();
        return (await run.ExitAsync(limit), run.Tail(100));
    }

    public void Dispose() => folder.Delete(recursive: true);
}
