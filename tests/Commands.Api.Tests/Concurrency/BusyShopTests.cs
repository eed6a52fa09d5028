namespace ApexShop.Commands.Api.Tests.Concurrency;

/// <summary>Writers that wait for each other on a slow machine are not refused for that.</summary>
public sealed class PatientApp : CommandsApp
{
    protected override (string Key, string Value)[] Settings =>
        [("Persistence:LockSeconds", "60"), ("Limits:RequestSeconds", "90")];
}

public sealed class BusyShopTests(PatientApp app) : IClassFixture<PatientApp>
{
    private const int Writers = 64;
    private const int CommandsOfEach = 15;

    private static readonly TimeSpan betweenSamples = TimeSpan.FromMilliseconds(50);

    [Fact]
    public async Task Sixty_four_concurrent_writers_leave_consistent_tables()
    {
        for (var run = 0; run < 2; run++) await ShouldBalanceAsync(Random.Shared.Next());
    }

    private async Task ShouldBalanceAsync(int seed)
    {
        var shop = new BusyShop(app);
        await shop.PrepareAsync();

        var writing =
            Task.WhenAll(Enumerable.Range(0, Writers).Select(writer => WriteAsync(shop, new Random(seed + writer))));
        while (await Task.WhenAny(writing, Task.Delay(betweenSamples)) != writing)
            (await app.TornProductsAsync()).ShouldBe(0, $"seed {seed}");
        await writing;

        var answers = string.Join(
            ", ", shop.Responses.OrderBy(answer => answer.Key).Select(answer => $"{answer.Value} x {answer.Key}"));
        var what = $"seed {seed}: {answers}";
        shop.Responses.Keys.ShouldAllBe(answer => answer[0] != '5', what);
        shop.Responses.Keys.ShouldNotContain("409 version.overtaken", what);
        shop.Responses["201"].ShouldBeGreaterThan(50, what);
        (await app.GapsAsync()).ShouldBe(0, what);
        (await app.DifferencesAsync()).ShouldBe(0, what);
        foreach (var productId in shop.Counted) await ShouldBalanceAsync(shop, productId, what);
    }

    private async Task ShouldBalanceAsync(BusyShop shop, int productId, string what)
    {
        if (await app.CountAsync("products", $"id = {productId}") == 0) return;
        (await app.StockAsync(productId) + await app.TakenAsync(productId)).ShouldBe(shop.Ledger[productId], what);
    }

    private static async Task WriteAsync(BusyShop shop, Random random)
    {
        for (var i = 0; i < CommandsOfEach; i++) await shop.AnythingAsync(random);
    }
}
