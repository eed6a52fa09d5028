using System.Globalization;
using ApexShop.TestKit;

namespace ApexShop.Load.Rebuilding;

/// <summary>The resident memory of a process, in megabytes: at first, and the highest since it was started.</summary>
internal sealed class ResidentMemory(ShopProcess process)
{
    public double AtRest { get; } = Read(process, "VmRSS:");

    public double Above() => Read(process, "VmHWM:") - AtRest;

    private static double Read(ShopProcess process, string name)
    {
        var line = File.ReadLines($"/proc/{process.Id}/status")
            .Single(line => line.StartsWith(name, StringComparison.Ordinal));
        var kilobytes = line[name.Length..].Replace("kB", "", StringComparison.Ordinal);
        return double.Parse(kilobytes, CultureInfo.InvariantCulture) / 1000;
    }
}
