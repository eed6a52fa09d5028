using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;
using FsCheck;
using FsCheck.Fluent;

namespace ApexShop.Projector.Tests.Operations.Auditing;

public sealed class HarmedShopTests(ReadStore store) : AuditTest(store)
{
    private const int Harms = 100;

    [Fact]
    public void A_hundred_rows_damaged_at_random_are_all_found_and_healed_and_no_other_is_changed()
    {
        var property = Prop.ForAll(
            Gen.Choose(0, 1_000_000).ToArbitrary(), seed => HoldsAsync(seed).GetAwaiter().GetResult());
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(6).WithQuietOnSuccess(true), property);
    }

    private async Task<bool> HoldsAsync(int seed)
    {
        await Store.ClearAsync();
        if (History.Entries.Count == 0) await ShopAsync(products: 120);
        else await ProjectAsync();
        var (everything, writers) = (await EverythingAsync(), await WritersAsync());
        var shown = await ShownAsync();
        var (harms, targets) = await HarmsAsync(new Random(seed));
        await Store.ExecuteAsync(string.Join(";\n", harms.Select(harm => harm.Sql)));

        var found = (await AuditAsync()).Texts;
        foreach (var harm in harms)
            found.ShouldContain(
                text => text.StartsWith(harm.Named + " ", StringComparison.Ordinal), $"{seed}: {harm.Sql}");
        var repaired = await AuditAsync(repair: true);
        repaired.Differences.Where(difference => difference.Repaired != true).ShouldBeEmpty($"{seed}");
        (await AuditAsync()).Texts.ShouldBeEmpty($"{seed}");

        Same(await EverythingAsync(), everything);
        // Not even written was an order or a review that was not harmed and shows no name of what was.
        Same((await WritersAsync()).Where(IsUntouched), writers.Where(IsUntouched));
        return true;

        bool IsUntouched(string row) =>
            shown.TryGetValue(row.Split(' ')[0], out var names)
                && !names.Split(' ').Append(row.Split(' ')[0]).Any(targets.Contains);
    }

    private Task<SortedDictionary<string, string>> ShownAsync() => Store.PairsAsync("""
        SELECT 'orders/' || id, 'users/' || customer_id FROM read.orders WHERE NOT is_deleted
        UNION ALL
        SELECT 'reviews/' || id, 'users/' || user_id || ' products/' || product_id FROM read.reviews
            WHERE NOT is_deleted
        """);

    private async Task<(List<Corruption> Harms, HashSet<string> Targets)> HarmsAsync(Random random)
    {
        var rows = new List<Target>();
        foreach (var kind in Resource.Names)
        {
            var ids = await Store.PairsAsync($"SELECT id::text, is_deleted::text FROM read.{kind}");
            rows.AddRange(ids.Select(row => new Target(kind, int.Parse(row.Key, null), row.Value == "true")));
        }

        var targets = rows.OrderBy(row => (row.Kind, row.Id)).OrderBy(_ => random.Next()).Take(Harms - 3).ToList();
        var harms = targets.ConvertAll(target => Corruption.Of(target, random));
        harms.Add(Corruption.OfSegment(Resource.Products.Name, 2, random));
        harms.Add(Corruption.OfSegment(Resource.Reviews.Name, 0, random));
        harms.Add(Corruption.OfSegment(Resource.Users.Name, 0, random));
        return (harms, [.. targets.Select(target => $"{target.Kind}/{target.Id}")]);
    }
}
