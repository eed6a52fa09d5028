namespace ApexShop.Load.Reports;

/// <summary>A Markdown table in a benchmark's output.</summary>
internal sealed record BenchTable(IReadOnlyList<string> Head, IReadOnlyList<IReadOnlyList<string>> Rows);

/// <summary>A benchmark's output: its tables and the other text.</summary>
internal sealed record BenchText(IReadOnlyList<BenchTable> Tables, string Rest)
{
    public static BenchText Parse(string text)
    {
        var (tables, rest, open) = (new List<BenchTable>(), new List<string>(), new List<string>());
        foreach (var line in text.ReplaceLineEndings("\n").Split('\n').Append(""))
        {
            if (line.StartsWith('|'))
            {
                open.Add(line);
                continue;
            }

            // A table has a head, a rule and at least one row; other lines are text.
            if (open.Count > 2) tables.Add(new BenchTable(Cells(open[0]), [.. open.Skip(2).Select(Cells)]));
            else rest.AddRange(open);
            open.Clear();
            rest.Add(line);
        }

        return new BenchText(tables, string.Join('\n', rest).Trim('\n'));
    }

    private static IReadOnlyList<string> Cells(string line) =>
        [.. line.Trim().Trim('|').Split('|').Select(cell => cell.Trim())];
}
