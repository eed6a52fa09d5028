namespace ApexShop.TestKit;

/// <summary>
/// A table of a page in docs/ that repeats a table of the code. With APEXSHOP_WRITE_DOCS set the page is updated
/// instead of compared.
/// </summary>
public static class DocTable
{
    public static void ShouldBe(string page, string header, IReadOnlyList<string> rows, string? section = null)
    {
        var path = Path.Combine(Repository.Root, "docs", page);
        var lines = File.ReadAllLines(path).ToList();
        // The rows start after the header and its rule.
        var first = lines.IndexOf(header, section is null ? 0 : lines.IndexOf(section)) + 2;
        first.ShouldBeGreaterThan(1, $"{page} has no table {header}");
        var count = lines.Skip(first).TakeWhile(line => line.StartsWith('|')).Count();
        if (Environment.GetEnvironmentVariable("APEXSHOP_WRITE_DOCS") is not null)
        {
            lines.RemoveRange(first, count);
            lines.InsertRange(first, rows);
            File.WriteAllText(path, string.Join('\n', lines) + "\n");
            count = rows.Count;
        }

        lines.Skip(first).Take(count).ShouldBe(rows, $"docs/{page} should have:\n{string.Join('\n', rows)}");
    }
}
