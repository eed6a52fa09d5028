using ApexShop.Projector.Documents;
using ApexShop.ReadModels;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>The totals of the documents of <see cref="StagedTables"/>, in tables of their own.</summary>
internal static class StagedTotalTables
{
    /// <summary>Creates the tables.</summary>
    public static string CreateSql { get; } = string.Join(
        ';',
        TotalsTable.All.Select(
            totals => $"CREATE UNLOGGED TABLE {NameOf(totals)} (LIKE {totals.Table} INCLUDING ALL)"));

    /// <summary>Counts the staged documents again, which the statements read.</summary>
    public static void Count(StatementBatch staged)
    {
        foreach (var totals in TotalsTable.All)
        {
            staged.Add($"TRUNCATE {totals.Table}");
            totals.CountAll(staged);
        }
    }

    /// <summary>Copies the totals into the tables that the statements write.</summary>
    public static void Copy(StatementBatch next)
    {
        foreach (var totals in TotalsTable.All)
            next.Add($"INSERT INTO {totals.Table} SELECT * FROM {NameOf(totals)}");
    }

    private static string NameOf(TotalsTable totals) =>
        RebuiltTables.StagedPrefix + totals.Table[(ReadTables.Schema.Length + 1)..];
}
