using ApexShop.Load.Running;

namespace ApexShop.Load.Scenarios;

/// <summary>All scenarios, by the words of the command line: a name, a group, or all.</summary>
internal static class Catalog
{
    public const string All = "all";

    public static IReadOnlyList<Scenario> Of(ShopApi api, ShopData data)
    {
        var requests = new Requests(api, data, new CreatedRows(api));
        return
        [
            .. Crud.Scenarios(requests),
            .. new Workflows(requests).Scenarios(),
            .. new Stress(requests).Scenarios(),
            .. new Streams(api, data).Scenarios(),
        ];
    }

    /// <summary>The scenarios that a word selects; none for an unknown word.</summary>
    public static IReadOnlyList<Scenario> Find(IReadOnlyList<Scenario> scenarios, string word) =>
        [.. scenarios.Where(scenario => word == All || word == scenario.Name || word == scenario.Group)];

    public static IEnumerable<string> Describe(IReadOnlyList<Scenario> scenarios) =>
        from scenario in scenarios
        group scenario by scenario.Group into same
        from line in same.Select(scenario => $"    {scenario.Name,-30}{scenario.Description}").Prepend($"  {same.Key}")
        select line;
}
