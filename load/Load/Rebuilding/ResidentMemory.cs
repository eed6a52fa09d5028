using System.Globalization;
using ApexShop.TestKit;

namespace ApexShop.Load.Rebuilding;

/// <summary>The resident memory of a process, in megabytes: at first, and the highest from then on.</summary>
internal sealed class ResidentMemory
{
    // Linux begins to measure the highest memory again.
    private const string ResetPeak = "5";

    private readonly string folder;

    public ResidentMemory(ShopProcess process)
    {
        folder = $"/proc/{process.Id}";
        File.WriteAllText($"{folder}/clear_refs", ResetPeak);
        AtRest = Read("VmRSS:");
    }

    public double AtRest { get; }

    public double Above() => Read("VmHWM:") - AtRest;

    private double Read(string name)
    {
        var line = File.ReadLines($"{folder}/status").Single(line => line.StartsWith(name, StringComparison.Ordinal));
        var kilobytes = line[name.Length..].Replace("kB", "", StringComparison.Ordinal);
        return double.Parse(kilobytes, CultureInfo.InvariantCulture) / 1000;
    }
}
