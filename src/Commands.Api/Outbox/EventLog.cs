using ApexShop.Events;
using Npgsql;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>What the statements that read the log have in common.</summary>
internal static class EventLog
{
    /// <summary>The identity of the log, as an expression of a statement that reads from it.</summary>
    public const string IdentitySql = "(SELECT id FROM shop.log_identities ORDER BY generation DESC LIMIT 1)";

    /// <summary>An entry from its columns, in the order of its members.</summary>
    public static LogEntry Entry(NpgsqlDataReader row) => new(
        row.GetInt64(0),
        row.GetInt64(1),
        row.GetGuid(2),
        row.GetString(3),
        row.GetString(4),
        row.GetInt32(5),
        row.GetFieldValue<DateTimeOffset>(6),
        row.IsDBNull(7) ? null : row.GetString(7),
        row.GetFieldValue<byte[]>(8))
    {
        Actor = row.IsDBNull(9) ? null : row.GetString(9),
        LogId = row.GetString(10),
    };
}
