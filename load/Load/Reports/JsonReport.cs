using System.Text.Json;

namespace ApexShop.Load.Reports;

internal static class JsonReport
{
    private static readonly JsonSerializerOptions options = new(JsonSerializerDefaults.Web) { WriteIndented = true };

    public static string Write(RunReport report) => JsonSerializer.Serialize(report, options);

    public static RunReport Read(string json) =>
        JsonSerializer.Deserialize<RunReport>(json, options) ?? throw new FormatException("The report is empty.");
}
