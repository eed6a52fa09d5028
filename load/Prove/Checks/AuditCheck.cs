using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

internal static class AuditCheck
{
    public static IEnumerable<string> Find(History history)
    {
        if (history.Rest.Audit is not { } audit) yield break;
        if (audit.Different > 0) yield return $"{audit.Different} documents differ from the tables";
        if (audit.NotCompared > 0) yield return $"{audit.NotCompared} documents could not be compared";
    }
}
