using System.Text;

namespace ApexShop.Load.Tests.Reports;

/// <summary>Reads CSV by RFC 4180, independent of the code that writes it.</summary>
internal static class Csv
{
    public static List<List<string>> Read(string text)
    {
        var (rows, row, field, quoted) = (new List<List<string>>(), new List<string>(), new StringBuilder(), false);
        for (var at = 0; at < text.Length; at++)
        {
            var one = text[at];
            if (quoted && one == '"' && at + 1 < text.Length && text[at + 1] == '"') field.Append(text[++at]);
            else if (one == '"') quoted = !quoted;
            else if (quoted || one is not (',' or '\r')) field.Append(one);
            else
            {
                row.Add(field.ToString());
                field.Clear();
                if (one == ',') continue;
                text[++at].ShouldBe('\n');
                rows.Add(row);
                row = [];
            }
        }

        (quoted, row.Count, field.Length).ShouldBe((false, 0, 0));
        return rows;
    }
}
