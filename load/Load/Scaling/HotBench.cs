using System.Diagnostics;
using System.Globalization;

namespace ApexShop.Load.Scaling;

/// <summary>
/// A shop in which one category has all products, one customer all orders and one product all reviews: what a change of
/// such a hot aggregate costs beside the same change of another, and what a new name of it costs.
/// </summary>
internal static class HotBench
{
    public const string Verb = "hot";
    public const int UsualProducts = 1_000_000;

    private const int Changes = 200;

    // Of the hot one over the other.
    private const double RatioGoal = 1.3;
    private const double ShownGoal = 1_000;
    private const double OthersGoal = 200;

    // In seconds, for a million documents at most.
    private const double WrittenGoal = 90;

    /// <summary>Returns 0 if every goal is reached, 1 if one is missed.</summary>
    public static async Task<int> RunAsync(int products, TextWriter output, CancellationToken ct)
    {
        await using var shop = await ScaledShop.StartAsync(new(products, ScaledRows.All), output, ct);
        var missed = new List<string>();
        await output.WriteLineAsync("\n| until a query shows it, p50; p99 | of the hot one | of another | ratio |");
        await output.WriteLineAsync("|---|---|---|---|");
        await output.WriteLineAsync(await CompareAsync(
            shop, "an order of a customer", ChangeProbes.OrderOfBusiest, ChangeProbes.Order, missed, ct));
        await output.WriteLineAsync(await CompareAsync(
            shop, "a review of a product", ChangeProbes.ReviewOfBusiest, ChangeProbes.Review, missed, ct));

        await output.WriteLineAsync(
            "\n| new name of | documents | a query shows it in the last | all are written again "
            + "| a new product meanwhile: p50; p99; longest | a page of 20 of them: before; meanwhile: p50; p99 |");
        await output.WriteLineAsync("|---|---|---|---|---|---|");
        foreach (var name in HotName.All(shop.Rows))
            await output.WriteLineAsync(await RenameAsync(shop, name, missed, ct));
        var (audit, _, _) = await shop.AuditAsync(ct);
        await output.WriteLineAsync(string.Create(
            CultureInfo.InvariantCulture, $"\nThe audit finds no difference ({audit:0} s)."));
        foreach (var goal in missed) await output.WriteLineAsync($"Missed: {goal}.");
        return missed.Count > 0 ? 1 : 0;
    }

    // In turns, so that a slow moment of the machine is one of both.
    private static async Task<string> CompareAsync(
        ScaledShop shop,
        string what,
        ChangeProbe ofHot,
        ChangeProbe ofOther,
        List<string> missed,
        CancellationToken ct)
    {
        var (hot, other) = (new List<double>(), new List<double>());
        for (var turn = 0; turn < Changes; turn++)
        {
            other.Add(await ChangeProbes.TakeAsync(ofOther, shop, turn, ct));
            // The users and products of the others have a review or an order now.
            hot.Add(await ChangeProbes.TakeAsync(ofHot, shop, Changes + turn, ct));
        }

        var ratio = Statistics.Median(hot) / Statistics.Median(other);
        if (ratio > RatioGoal) missed.Add($"{what}, at most {RatioGoal} times that of another");
        return string.Create(
            CultureInfo.InvariantCulture, $"| {what} | {Times(hot)} | {Times(other)} | {ratio:0.00} |");
    }

    private static async Task<string> RenameAsync(
        ScaledShop shop, HotName name, List<string> missed, CancellationToken ct)
    {
        var (random, before, meanwhile) = (new Random(1), new List<double>(), new List<double>());
        for (var i = 0; i < Changes; i++) before.Add(await ReadAsync(shop, name.Page(random), "", ct));
        var rename = await LargeRename.TakeAsync(
            shop,
            async () =>
            {
                await ChangeProbes.PatchAsync(shop, name.Path, name.Patch, ct);
                return new(name.Last, name.Shown);
            },
            async () => meanwhile.Add(await ReadAsync(shop, name.Page(random), name.Shown, ct)),
            ct);
        if (rename.ShownMilliseconds > ShownGoal) missed.Add($"{name.What}, shown within {ShownGoal} ms");
        if (rename.WrittenSeconds > WrittenGoal) missed.Add($"{name.What}, written within {WrittenGoal} s");
        if (rename.Others is not [] && Statistics.Percentile(rename.Others, 0.99) > OthersGoal)
            missed.Add($"{name.What}, a new product meanwhile within {OthersGoal} ms (p99)");
        return string.Create(
            CultureInfo.InvariantCulture,
            $"| {name.What} | {name.Documents:N0} | {rename.ShownMilliseconds:0} ms | {rename.WrittenSeconds:0} s "
            + $"| {Times(rename.Others)}; {rename.Others.DefaultIfEmpty().Max():0.0} ms "
            + $"| {Times(before)}; {Times(meanwhile)} |");
    }

    // Milliseconds of a page, each document of which must show the name.
    private static async Task<double> ReadAsync(ScaledShop shop, string path, string shown, CancellationToken ct)
    {
        var began = Stopwatch.GetTimestamp();
        var page = await shop.Queries.Http.GetStringAsync(path, ct);
        var milliseconds = Stopwatch.GetElapsedTime(began).TotalMilliseconds;
        return shown is "" || page.Split(shown).Length > HotName.PageSize
            ? milliseconds
            : throw new InvalidOperationException($"{path} has documents without {shown}.");
    }

    private static string Times(IReadOnlyList<double> milliseconds) => milliseconds is []
        ? "-"
        : string.Create(
            CultureInfo.InvariantCulture,
            $"{Statistics.Median(milliseconds):0.0}; {Statistics.Percentile(milliseconds, 0.99):0.0} ms");
}

/// <summary>
/// A name that very many documents show: the command that changes it, the last of the documents and their pages.
/// </summary>
internal sealed record HotName(
    string What, int Documents, string Path, object Patch, string Last, string Shown, Func<Random, string> Page)
{
    public const int PageSize = 20;

    public static IEnumerable<HotName> All(ScaledRows rows)
    {
        yield return new(
            "the category of all products", rows.Products, $"/categories/{ScaledRows.Busiest}",
            new { name = "Hot category" }, $"/products/{rows.Products}", "\"Hot category\"",
            Pages($"/products/cursor?categoryId={ScaledRows.Busiest}", rows.Products));
        yield return new(
            "the customer of all orders", rows.Orders, $"/users/{ScaledRows.Busiest}",
            new { firstName = "Hot", lastName = "Customer" }, $"/orders/{rows.Orders}", "\"Hot Customer\"",
            Pages($"/orders/cursor?customerId={ScaledRows.Busiest}", rows.Orders));
        yield return new(
            "the product of all reviews", rows.Reviews, $"/products/{ScaledRows.Busiest}",
            new { name = "Hot product" }, $"/reviews/{rows.Reviews}", "\"Hot product\"",
            Pages($"/reviews/cursor?productId={ScaledRows.Busiest}", rows.Reviews));
    }

    private static Func<Random, string> Pages(string list, int documents) =>
        random => $"{list}&pageSize={PageSize}&afterId={random.Next(documents - PageSize)}";
}
