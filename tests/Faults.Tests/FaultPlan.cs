using System.Globalization;

namespace ApexShop.Faults.Tests;

/// <summary>The number of faults: few in a normal test run, many with <c>./apexshop test faults</c>.</summary>
internal static class FaultPlan
{
    /// <summary>How often each kind of process is killed.</summary>
    public static int Rounds { get; } = int.Parse(
        Environment.GetEnvironmentVariable("APEXSHOP_FAULT_ROUNDS") ?? "2", CultureInfo.InvariantCulture);

    /// <summary>Whether the long tests run, too.</summary>
    public static bool IsLong => Rounds > 2;
}
