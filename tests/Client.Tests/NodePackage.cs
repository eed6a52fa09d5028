using ApexShop.TestKit;

namespace ApexShop.Client.Tests;

/// <summary>The npm package, packed and installed in a folder beside the programs that use it.</summary>
public sealed class NodePackage : IAsyncLifetime, IDisposable
{
    private static readonly Dictionary<string, string> none = [];

    private readonly Programs programs = new();

    public static string Sources => Path.Combine(Repository.Root, "clients", "npm");

    public string Folder => programs.Folder;

    public async Task InitializeAsync()
    {
        await programs.RunAsync(none, "npm", "pack", Sources, "--silent");
        programs.Write("package.json", """{ "private": true, "type": "module" }""");
        var file = Path.GetFileName(Directory.GetFiles(Folder, "apexshop-client-*.tgz").Single());
        await programs.RunAsync(
            none, "npm", "install", $"./{file}", "--offline", "--no-audit", "--no-fund", "--silent");
        programs.Copy("samples", "client-node", "shop.js");
        programs.Copy("tests", "Client.Tests", "Node", "checks.js");
    }

    public Task<string> RunAsync(IReadOnlyDictionary<string, string> environment, params string[] arguments) =>
        programs.RunAsync(environment, "node", arguments);

    /// <summary>The exit code and the output of TypeScript's compiler, which checks a program.</summary>
    public Task<(int Exit, string Output)> CheckTypesAsync(string file) => programs.EndAsync(
        none, "node", Path.Combine(Sources, "node_modules", "typescript", "bin", "tsc"), "--noEmit", "--strict",
        "--allowJs", "--checkJs", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", "node.d.ts",
        file);

    public Task DisposeAsync() => Task.CompletedTask;

    public void Dispose() => programs.Dispose();
}
