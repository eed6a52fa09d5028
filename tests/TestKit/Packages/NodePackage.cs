namespace ApexShop.TestKit.Packages;

/// <summary>
/// The npm package, packed and installed in a folder when a test needs it, beside programs of the repository.
/// </summary>
public class NodePackage : IDisposable
{
    private static readonly Dictionary<string, string> none = [];

    private readonly Programs programs = new();
    private readonly string[] copied;
    private readonly Lazy<Task> installed;

    public NodePackage(params string[] copied) => (this.copied, installed) = (copied, new(InstallAsync));

    public static string Sources => Path.Combine(Repository.Root, "clients", "npm");

    /// <summary>The folder.</summary>
    public async Task<string> InstalledAsync()
    {
        await installed.Value;
        return programs.Folder;
    }

    private async Task InstallAsync()
    {
        await programs.RunAsync(none, "npm", "pack", Sources, "--silent");
        programs.Write("package.json", """{ "private": true, "type": "module" }""");
        var file = Path.GetFileName(Directory.GetFiles(programs.Folder, "apexshop-client-*.tgz").Single());
        await programs.RunAsync(
            none, "npm", "install", $"./{file}", "--offline", "--no-audit", "--no-fund", "--silent");
        foreach (var path in copied) programs.Copy(path.Split('/'));
    }

    public async Task<string> RunAsync(IReadOnlyDictionary<string, string> environment, params string[] arguments)
    {
        await InstalledAsync();
        return await programs.RunAsync(environment, "node", arguments);
    }

    /// <summary>The exit code and the output of TypeScript's compiler, which checks a program.</summary>
    public async Task<(int Exit, string Output)> CheckTypesAsync(string file)
    {
        await InstalledAsync();
        return await programs.EndAsync(
            none, "node", Path.Combine(Sources, "node_modules", "typescript", "bin", "tsc"), "--noEmit", "--strict",
            "--allowJs", "--checkJs", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", "node.d.ts",
            file);
    }

    public void Dispose()
    {
        programs.Dispose();
        GC.SuppressFinalize(this);
    }
}
