using System.Globalization;
using System.Text;

namespace ApexShop.Simulation.Tests.Reading;

/// <summary>
/// The documents and pages that clients read, by number. The body of a response is the number of the last commit that
/// changed it, which shows how old it is.
/// </summary>
internal sealed class Pages(ReadServer read)
{
    /// <summary>Pages of all products, of each category's products, and of the categories.</summary>
    public const int Lists = 4;

    private readonly Dictionary<int, List<(long Commit, long Time)>> changes = [];

    public long Commits { get; private set; }

    public static int Document(int id) => Lists + id;

    public DocumentRow? Product(int id) => read.Documents.GetValueOrDefault(("products", id));

    public byte[] Read(int page) =>
        Encoding.ASCII.GetBytes(Changes(page).LastOrDefault().Commit.ToString(CultureInfo.InvariantCulture));

    /// <summary>The last change of a page before a time, by the number of its commit.</summary>
    public long ChangeBefore(int page, long time) => Changes(page).FindLast(change => change.Time < time).Commit;

    /// <summary>The last change of a page up to a commit.</summary>
    public long ChangeUpTo(int page, long commit) => Changes(page).FindLast(change => change.Commit <= commit).Commit;

    public void Changed(IEnumerable<int> changed, long time)
    {
        Commits++;
        foreach (var page in changed.Distinct()) Changes(page).Add((Commits, time));
    }

    /// <summary>Whether the page is of a document that was not there at the commit, or is not there now.</summary>
    public bool IsAbsentSince(int page, long commit) =>
        page >= Lists && (commit == 0 || Product(page - Lists) is not { IsDeleted: false });

    private List<(long Commit, long Time)> Changes(int page)
    {
        if (!changes.TryGetValue(page, out var list)) changes[page] = list = [];
        return list;
    }
}
