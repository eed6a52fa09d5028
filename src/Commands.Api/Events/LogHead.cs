using System.Globalization;
using ApexShop.Events;
using Npgsql;

namespace ApexShop.Commands.Api.Events;

/// <summary>The identity of the log, and the position of its last event.</summary>
internal sealed record LogHead(long Position, string LogId)
{
    /// <summary>Reads the row of <see cref="EventLogSql.Head"/>.</summary>
    public static async Task<LogHead> ReadAsync(NpgsqlCommand command, CancellationToken ct)
    {
        await using var row = await command.ExecuteReaderAsync(ct);
        await row.ReadAsync(ct);
        return new LogHead(row.GetInt64(0), row.GetString(1));
    }

    /// <summary>Whether a response has entries that were read after the log was replaced by another one.</summary>
    public bool IsReplacedIn(IEnumerable<LogEntry> entries) => entries.Any(entry => entry.LogId != LogId);

    public void WriteTo(IHeaderDictionary headers)
    {
        headers[LogEntry.HeadHeader] = Position.ToString(CultureInfo.InvariantCulture);
        headers[LogEntry.IdHeader] = LogId;
    }
}
