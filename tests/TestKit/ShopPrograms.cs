namespace ApexShop.TestKit;

/// <summary>The three programs, and the sample that follows them, as they were built together with the tests.</summary>
public static class ShopPrograms
{
    public const string Commands = "Commands.Api";
    public const string Projector = "Projector";
    public const string Queries = "Queries.Api";
    public const string StockWatcher = "StockWatcher";

    private static readonly string host = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";

    // The tests run from tests/<name>/bin/<configuration>/<framework>/; the programs were built beside them.
    private static readonly DirectoryInfo output = new(Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory));

    public static ServerProcess Create(
        string program, string name, IReadOnlyDictionary<string, string> environment, params string[] arguments) =>
        CreateFrom(Folder(program), program, name, environment, arguments);

    /// <summary>The program as it was published into a folder.</summary>
    public static ServerProcess CreateFrom(
        string folder,
        string program,
        string name,
        IReadOnlyDictionary<string, string> environment,
        params string[] arguments) =>
        IsExecutable(folder, program)
            ? new(name, Path.Combine(folder, $"ApexShop.{program}"), arguments, environment)
            {
                WorkingDirectory = folder,
            }
            : new(name, host, [Assembly(folder, program), .. arguments], environment) { WorkingDirectory = folder };

    /// <summary>Brings both schemas of a database up to date with the programs' own verbs.</summary>
    public static async Task MigrateAsync(TestDatabase database)
    {
        await MigrateAsync(Commands, "ConnectionStrings__ShopOwner", database.ShopOwner);
        await MigrateAsync(Projector, "ConnectionStrings__Read", database.Projector);
    }

    private static async Task MigrateAsync(string program, string key, string connection)
    {
        using var process =
            Create(program, $"{program} migrate", new Dictionary<string, string> { [key] = connection }, "migrate");
        process.Start();
        if (await process.ExitAsync(TimeSpan.FromMinutes(2)) != 0)
            throw new InvalidOperationException(process.Tail(60));
    }

    /// <summary>
    /// The folder of the program that was built together with the tests. <c>APEXSHOP_QUERIES_FOLDER</c> has another one
    /// of Queries.Api, such as the program that was compiled ahead of time.
    /// </summary>
    public static string Folder(string program) => program switch
    {
        Queries when Environment.GetEnvironmentVariable("APEXSHOP_QUERIES_FOLDER") is { Length: > 0 } other => other,
        StockWatcher => Built("samples", program),
        _ => Built("src", program),
    };

    private static string Built(string part, string program) =>
        Path.Combine(Repository.Root, part, program, "bin", output.Parent!.Name, output.Name);

    // A program that was published together with the runtime, or compiled ahead of time without an assembly.
    private static bool IsExecutable(string folder, string program) =>
        File.Exists(Path.Combine(folder, "libcoreclr.so"))
        || (File.Exists(Path.Combine(folder, $"ApexShop.{program}"))
            && !File.Exists(Path.Combine(folder, $"ApexShop.{program}.dll")));

    private static string Assembly(string folder, string program)
    {
        var file = Path.Combine(folder, $"ApexShop.{program}.dll");
        return File.Exists(file) ? file : throw new FileNotFoundException($"{program} is not built: {file}");
    }
}
