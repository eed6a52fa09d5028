using ApexShop.Access;
using ApexShop.Queries.Api.Resources;
using ApexShop.TestKit;
using ApexShop.TestKit.HttpFiles;

namespace ApexShop.Queries.Api.Tests.OpenApi;

/// <summary>A shop whose limits allow all requests of the .http files and of the tests that repeat them.</summary>
public sealed class DescribedShop : FewOfEach
{
    /// <summary>A known key without a scope that this API needs.</summary>
    public const string OtherKey = "writer";

    public static IReadOnlyList<HttpFile> Files { get; } = HttpFile.Of(ShopPrograms.Queries);

    /// <summary>
    /// All resources have the same queries, so one without a filter of its own needs no requests of its own.
    /// </summary>
    public static bool IsPlain(string path) =>
        ReadModel.All.Any(resource => resource.Filters.Count == 0 && path.Split('/')[1] == resource.Name);

    public override async Task InitializeAsync()
    {
        await base.InitializeAsync();
        // The files contain the purges.
        await ReceivesAnnouncementsAsync();
    }

    private protected override QueriesApp Configure(QueriesApp queries) =>
        queries.With("Streaming:Exports", 100_000).WithKey(1, OtherKey, Scopes.CatalogWrite);
}
