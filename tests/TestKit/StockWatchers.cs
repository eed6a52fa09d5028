using System.ComponentModel;

namespace ApexShop.TestKit;

/// <summary>The stock watchers of samples: they do the same, and have the same state.</summary>
public static class StockWatchers
{
    private const string DotNet = "C#";
    private const string Node = "Node";
    private const string Python = "Python";

    // Only Debian's interpreter finds Debian's packages; the PATH may have another one.
    private const string DebianPython = "/usr/bin/python3";

    public static IReadOnlyList<string> Languages { get; } = [DotNet, Node, Python];

    public static async Task<ServerProcess> CreateAsync(
        string language, IReadOnlyDictionary<string, string> environment, string stateFile)
    {
        if (language == DotNet)
            return ShopPrograms.Create(ShopPrograms.StockWatcher, "stock watcher", environment, stateFile);
        var (folder, program, script, check, missing) = language switch
        {
            Node => ("stock-watcher-node", "node", "watcher.js", "--eval=require('amqplib')",
                "Install Node 18 or newer (Debian: apt-get install nodejs npm) and run npm ci there."),
            Python => ("stock-watcher-python", File.Exists(DebianPython) ? DebianPython : "python3", "watcher.py",
                "-cimport pika", "Install pika 1.2 or newer (Debian: apt-get install python3-pika)."),
            _ => throw new ArgumentOutOfRangeException(nameof(language), language, null),
        };
        folder = Path.Combine(Repository.Root, "samples", folder);
        await NeedAsync(Create([check]), $"{program} cannot run {Path.Combine(folder, script)}. {missing}");
        return Create([script, stateFile]);

        ServerProcess Create(string[] arguments) =>
            new("stock watcher", program, arguments, environment) { WorkingDirectory = folder };
    }

    private static async Task NeedAsync(ServerProcess check, string missing)
    {
        using (check)
        {
            try
            {
                check.Start();
                if (await check.ExitAsync(TimeSpan.FromMinutes(1)) == 0) return;
            }
            catch (Win32Exception)
            {
                // There is no such program.
            }
        }

        throw new InvalidOperationException(missing);
    }
}
