using System.Text;
using System.Text.Json;
using FsCheck;
using FsCheck.Fluent;

namespace ApexShop.Queries.Api.Tests.Reading;

/// <summary>Whatever ids exist or are deleted, the pages of a list contain each living document exactly once.</summary>
public sealed class PagingTests(PagingTests.Shop shop) : IClassFixture<PagingTests.Shop>
{
    private const int Walks = 25;

    public sealed class Shop : ReadShop
    {
        protected override Task SeedAsync() => Task.CompletedTask;
    }

    public sealed record Walk(int[] Ids, int[] Deleted, int[] DeletedMeanwhile, int PageSize);

    [Fact]
    public void Cursor_pages_numbered_pages_and_streams_agree_with_the_table() =>
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(Walks), Prop.ForAll(RandomWalks(), WalkAsync));

    private async Task WalkAsync(Walk walk)
    {
        await shop.EmptyAsync("products");
        await shop.PutAsync("products", walk.Ids, id => Encoding.UTF8.GetBytes($"{{\"id\":{id}}}"));
        await shop.DeleteAsync("products", walk.Deleted);
        int[] living = [.. walk.Ids.Except(walk.Deleted).Order()];

        Documents.Ids(await shop.Http.JsonAsync("products/stream")).ShouldBe(living);
        (await NumberedAsync(walk.PageSize, living.Length)).ShouldBe(living);
        (await FollowedAsync(walk.PageSize, () => Task.CompletedTask)).ShouldBe(living);

        var seen = await FollowedAsync(walk.PageSize, () => shop.DeleteAsync("products", walk.DeletedMeanwhile));
        seen.ShouldBe(seen.Distinct());
        seen.Except(walk.DeletedMeanwhile).ShouldBe(living.Except(walk.DeletedMeanwhile));
    }

    private async Task<List<int>> NumberedAsync(int pageSize, int total)
    {
        var seen = new List<int>();
        for (var (page, hasNext) = (1, true); hasNext; page++)
        {
            var answer = await shop.Http.JsonAsync($"products/v2?page={page}&pageSize={pageSize}");
            answer.GetProperty("totalCount").GetInt32().ShouldBe(total);
            seen.AddRange(Documents.Ids(answer.GetProperty("data")));
            hasNext = answer.GetProperty("hasNext").GetBoolean();
        }

        return seen;
    }

    private async Task<List<int>> FollowedAsync(int pageSize, Func<Task> betweenPages)
    {
        var seen = new List<int>();
        for (var after = ""; after is not null;)
        {
            var answer = await shop.Http.JsonAsync($"products/cursor?pageSize={pageSize}{after}");
            var data = Documents.Ids(answer.GetProperty("data"));
            answer.GetProperty("hasMore").GetBoolean()
                .ShouldBe(answer.GetProperty("nextCursor").ValueKind != JsonValueKind.Null);
            data.Count.ShouldBeLessThanOrEqualTo(pageSize);
            seen.AddRange(data);
            after = answer.GetProperty("nextCursor").GetString() is { } next ? $"&after={next}" : null;
            await betweenPages();
        }

        return seen;
    }

    // Small ids are dense, large ids sparse: pages end in the middle of both.
    private static Arbitrary<Walk> RandomWalks() => (
        from dense in Gen.Choose(1, 60).ListOf()
        from sparse in Gen.Choose(61, int.MaxValue).ListOf()
        let ids = dense.Concat(sparse).Distinct().ToArray()
        from deleted in Gen.SubListOf(ids)
        from meanwhile in Gen.SubListOf(ids.Except(deleted).ToArray())
        from pageSize in Gen.Frequency((3, Gen.Choose(1, 7)), (1, Gen.Choose(8, 100)))
        select new Walk(ids, [.. deleted], [.. meanwhile], pageSize)).ToArbitrary();
}
