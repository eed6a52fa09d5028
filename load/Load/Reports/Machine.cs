using System.Globalization;
using System.Runtime.InteropServices;

namespace ApexShop.Load.Reports;

/// <summary>The machine and the versions that a figure depends on.</summary>
internal static class Machine
{
    private const string ProcessorFile = "/proc/cpuinfo";

    /// <summary>The commit comes from the environment, as the sources may be on another machine.</summary>
    public static RunFacts Facts(TimeProvider clock, string command, string shop) => new(
        clock.GetUtcNow(),
        Environment.GetEnvironmentVariable("APEXSHOP_COMMIT") is { Length: > 0 } commit ? commit : "unknown",
        command,
        shop,
        Processor(),
        Environment.ProcessorCount,
        Math.Round(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 1e9, 1),
        RuntimeInformation.OSDescription,
        RuntimeInformation.FrameworkDescription);

    public static IReadOnlyList<(string Name, string Value)> Rows(RunFacts facts) =>
    [
        ("started", facts.Started.UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss 'UTC'", CultureInfo.InvariantCulture)),
        ("commit", facts.Commit),
        ("command", facts.Command),
        ("shop", facts.Shop),
        ("processor", string.Create(CultureInfo.InvariantCulture, $"{facts.Processor}, {facts.Cores} cores, "
            + $"{facts.MemoryGigabytes:0.#} GB")),
        ("system", $"{facts.System}, {facts.Runtime}"),
    ];

    private static string Processor()
    {
        const string key = "model name";
        var line = File.Exists(ProcessorFile)
            ? File.ReadLines(ProcessorFile).FirstOrDefault(one => one.StartsWith(key, StringComparison.Ordinal)) : null;
        return line is null
            ? RuntimeInformation.ProcessArchitecture.ToString()
            : line[(line.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim();
    }
}
