using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class AuditCheck
{
    public static IEnumerable<string> Find(History history)
    {
        if (history.Rest.Audit is not { } audit) yield break;
        if (audit.Different > 0) yield return $"{audit.Different} documents differ from the tables";
        if (audit.NotCompared > 0) yield return $"{audit.NotCompared} documents could not be compared";
        var read = history.Rest.Views.Where(view => view.Query is null).GroupBy(view => view.Resource)
            .Sum(views => views.Min(view => view.Documents.Count));
        if (history.Header.Exclusive && audit.Compared < read)
            yield return $"only {audit.Compared} of {read} documents were compared";
    }
}
