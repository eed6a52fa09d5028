namespace ApexShop.TestKit.Packages;

/// <summary>Programs in a temporary folder, which use the packages as a customer of the registry does.</summary>
public sealed class Programs : IDisposable
{
    private static readonly TimeSpan limit = TimeSpan.FromMinutes(20);

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("apexshop-programs-");

    public string Folder => folder.FullName;

    /// <summary>The packages of the machine are used as they are; those under test are not added to them.</summary>
    public static string NuGetConfiguration { get; } = $"""
        <configuration>
          <config><add key="globalPackagesFolder" value=".nuget" /></config>
          <packageSources><clear /><add key="built" value="." /></packageSources>
          <fallbackPackageFolders><add key="machine" value="{MachinePackages}" /></fallbackPackageFolders>
        </configuration>
        """;

    private static string Configuration => new DirectoryInfo(AppContext.BaseDirectory).Parent!.Name;

    private static string MachinePackages => Environment.GetEnvironmentVariable("NUGET_PACKAGES")
        ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");

    public void Write(string file, string text) => File.WriteAllText(Path.Combine(Folder, file), text);

    public void Copy(params string[] path) =>
        File.Copy(Path.Combine([Repository.Root, .. path]), Path.Combine(Folder, path[^1]));

    /// <summary>
    /// Builds Program.cs with the package of a project of src, as it was built with the tests; returns the assembly.
    /// </summary>
    public async Task<string> BuildAsync(string project, string package)
    {
        var none = new Dictionary<string, string>();
        await RunAsync(
            none, "dotnet", "pack", Path.Combine(Repository.Root, "src", project), "-c", Configuration, "--no-build",
            "-o", Folder);
        Write("nuget.config", NuGetConfiguration);
        var file = Directory.GetFiles(Folder, $"{package}.*.nupkg").Single();
        var version = Path.GetFileNameWithoutExtension(file)[(package.Length + 1)..];
        Write("Program.csproj", $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings>
                <Nullable>enable</Nullable>
                <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
              </PropertyGroup>
              <ItemGroup><PackageReference Include="{package}" Version="{version}" /></ItemGroup>
            </Project>
            """);
        await RunAsync(none, "dotnet", "build", "-o", "out", "--disable-build-servers");
        return Path.Combine(Folder, "out", "Program.dll");
    }

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
