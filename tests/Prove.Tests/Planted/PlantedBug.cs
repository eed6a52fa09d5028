using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Tests.Planted;

/// <summary>A change of a history that breaks one guarantee, and the check that must find it.</summary>
internal sealed record PlantedBug(string Check, string Name, Func<History, History> Plant)
{
    public static IReadOnlyList<PlantedBug> All { get; } =
    [
        .. LogBugs.All, .. CommandBugs.All, .. LostUpdateBugs.All, .. StockBugs.All, .. ReadBugs.All,
        .. ListBugs.All, .. PersonBugs.All, .. RestBugs.All, .. RestListBugs.All, .. SelectBugs.All, .. RefusalBugs.All,
    ];

    public override string ToString() => Name;
}
