using System.Globalization;

namespace ApexShop.Load.Projecting;

/// <summary>
/// User and system time of local processes, from /proc; 0 on other systems.
/// </summary>
internal static class CpuTime
{
    private const double TicksPerSecond = 100;

    /// <summary>Seconds used so far by the running processes; 0 without /proc.</summary>
    public static double Of(IEnumerable<int> processes) => processes.Sum(Of);

    public static double Of(int process)
    {
        try
        {
            var stat = File.ReadAllText(string.Create(CultureInfo.InvariantCulture, $"/proc/{process}/stat"));
            // The name before it may contain blanks and brackets.
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
