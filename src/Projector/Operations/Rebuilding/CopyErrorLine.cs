using System.Globalization;
using System.Text.RegularExpressions;
using ApexShop.Projector.Documents;
using Npgsql;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>The line of a COPY that the database refuses.</summary>
internal static partial class CopyErrorLine
{
    /// <summary>The number of the line with a value at fault, from 1; null if another thing is.</summary>
    public static int? Of(PostgresException refused) =>
        StatementBatch.IsDataFault(refused)
            && refused.Where is { } where && Number().Match(where) is { Success: true } number
            ? int.Parse(number.Value, CultureInfo.InvariantCulture)
            : null;

    // PostgreSQL gives the line in the server's language: "COPY products, line 17, column price". For a value inside of
    // JSON another line is before it.
    [GeneratedRegex("(?<=^COPY .*)[0-9]+", RegexOptions.Multiline)]
    private static partial Regex Number();
}
