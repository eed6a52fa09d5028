using ApexShop.Access;
using ApexShop.TestKit;
using ApexShop.TestKit.HttpFiles;

namespace ApexShop.Queries.Api.Tests.OpenApi;

/// <summary>A shop in which the .http files and all that follows from them may run without end.</summary>
public sealed class DescribedShop : FewOfEach
{
    /// <summary>Known, and may read nothing here.</summary>
    public const string OtherKey = "reader-of-events";

    public static IReadOnlyList<HttpFile> Files { get; } = HttpFile.Of(ShopPrograms.Queries);

    private protected override QueriesApp Configure(QueriesApp queries) => queries.With("Streaming:Exports", 100_000).WithKey(1, OtherKey, Scopes.EventsRead);
}
