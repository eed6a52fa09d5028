using ApexShop.Queries.Api.Resources;
using FsCheck;
using FsCheck.Fluent;

namespace ApexShop.Queries.Api.Tests.Lists;

/// <summary>
/// Documents are created, changed and deleted between two pages, with random sorts, filters and directions: a document
/// that does not change is read exactly once.
/// </summary>
public sealed class ConcurrentPagingTests(VariedShop shop) : IClassFixture<VariedShop>
{
    private const int Runs = 40;

    // Documents up to this id do not change; the others are created, changed and deleted.
    private const int Staying = 40;

    public sealed record Paging(
        string Resource, IReadOnlyDictionary<string, string> Filters, string? Sort, int PageSize, bool IsBackwards,
        int Seed);

    [Fact]
    public void Documents_that_do_not_change_are_read_once_and_in_order() =>
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(Runs), Prop.ForAll(RandomPagings(), ReadAsync));

    private async Task ReadAsync(Paging paging)
    {
        var random = new Random(paging.Seed);
        var query = string.Concat(paging.Filters.Select(filter => $"&{filter.Key}={filter.Value}"))
            + (paging.Sort is null ? "" : $"&sort={paging.Sort}");
        var list = new ListClient(
            shop.Http, paging.Resource, query) { Meanwhile = () => ChangeAsync(paging.Resource, random) };
        var staying = Oracle.Ids(
            paging.Resource, shop.Living(paging.Resource).Values.Where(
                document => Oracle.Id(document) <= Staying), paging.Filters, paging.Sort);

        var reading = paging.IsBackwards ? list.BackwardsAsync(paging.PageSize) : list.ForwardsAsync(paging.PageSize);
        var seen = await reading;
        seen.Where(id => id <= Staying).ShouldBe(staying, paging.ToString());
    }

    private async Task ChangeAsync(string resource, Random random)
    {
        int[] moving = [.. Enumerable.Range(Staying + 1, VariedShop.Count).Where(_ => random.Next(4) == 0)];
        var gone = moving.Where(shop.Living(resource).ContainsKey).Where(_ => random.Next(2) == 0).ToArray();
        await shop.RemoveAsync(resource, gone);
        await shop.TurnAsync(resource, [.. moving.Except(gone)], random.Next());
    }

    private static Arbitrary<Paging> RandomPagings() => (
        from resource in Gen.Elements(ReadModel.All.ToArray())
        let sorts = resource.Sorts.Where(one => one is { IsPublic: true, RequiredFilter: null }).Select(one => one.Name)
        from sort in Gen.Elements<string?>([null, .. sorts])
        from filters in Gen.SubListOf(resource.Filters.ToArray())
        from pick in Gen.Choose(0, 100)
        from pageSize in Gen.Choose(1, 9)
        from isBackwards in ArbMap.Default.GeneratorFor<bool>()
        from seed in Gen.Choose(0, int.MaxValue)
        let values = filters.Take(2).ToDictionary(filter => filter.Name, filter => ValueOf(resource, filter, pick))
        where !(values.ContainsKey("minPrice") && values.ContainsKey("maxPrice"))
        select new Paging(resource.Name, values, sort, pageSize, isBackwards, seed)).ToArbitrary();

    private static string ValueOf(ReadModel resource, Filter filter, int pick)
    {
        var good = Samples.Of[$"{resource.Name}.{filter.Name}"].Good;
        return good[pick % good.Length];
    }
}
