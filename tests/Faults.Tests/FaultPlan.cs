using System.Globalization;

namespace ApexShop.Faults.Tests;

/// <summary>How much is done to the shop: a little in every test run, much by <c>./apexshop test faults</c>.</summary>
internal static class FaultPlan
{
    /// <summary>How often each kind of process is killed.</summary>
    public static int Rounds { get; } = int.Parse(
        Environment.GetEnvironmentVariable("APEXSHOP_FAULT_ROUNDS") ?? "2", CultureInfo.InvariantCulture);

    /// <summary>Whether also what takes long is done.</summary>
    public static bool IsLong => Rounds > 2;
}
