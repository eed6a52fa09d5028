using System.Globalization;

namespace ApexShop.Load.Projecting;

/// <summary>
/// User and system time of processes of this machine, from /proc; elsewhere nothing is known of them.
/// </summary>
internal static class CpuTime
{
    private const double TicksPerSecond = 100;

    /// <summary>Seconds so far of those that still run; 0 when there is no /proc.</summary>
    public static double Of(IEnumerable<int> processes) => processes.Sum(Of);

    public static double Of(int process)
    {
        try
        {
            var stat = File.ReadAllText(string.Create(CultureInfo.InvariantCulture, $"/proc/{process}/stat"));
            // The name before it may hold blanks and brackets.
            var fields = stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
            return (Ticks(fields[11]) + Ticks(fields[12])) / TicksPerSecond;
        }
        catch (Exception gone) when (gone is IOException or UnauthorizedAccessException)
        {
            return 0;
        }
    }

    private static double Ticks(string field) => double.Parse(field, CultureInfo.InvariantCulture);
}
