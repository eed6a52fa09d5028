using System.Globalization;
using ApexShop.TestKit;
using Npgsql;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Auditing;

public sealed class BusyAuditTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>
{
    private const int Writes = 3_000;
    private const int Writers = 8;

    [Fact]
    public async Task Under_full_load_audits_raise_no_false_alarm_and_a_real_difference_is_found_and_healed()
    {
        // No client writes to these: a difference stays until an audit repairs it.
        var category = await Client.CreateAsync("categories", Bodies.Category("Quiet"));
        var product = await Client.CreateAsync("products", Bodies.Product(category.Id, "Quiet lamp"));
        var traffic = await Traffic.PrepareAsync(Shop, products: 40, users: 20, stock: 100_000);
        var gate = new WriteGate();
        gate.AllowUpTo(Writes);
        var writing = traffic.WriteAsync(gate, Writes, Writers, (one, random) => one.AnythingAsync(random));

        for (var audits = 0; audits < 5 || !writing.IsCompleted; audits++)
        {
            if (audits == 2) await HarmAsync(product.Id);
            var audit = await ShopAudit.RunAsync(Shop, repair: audits == 3);
            Output.WriteLine($"{audit.Summary.ToJsonString()} {writing.IsCompleted}");
            string[] expected = audits is 2 or 3
                ? [string.Create(CultureInfo.InvariantCulture, $"products/{product.Id} columns")]
                : [];
            audit.Named.ShouldBe(expected);
            audit.NotCompared.ShouldBe(0);
            if (audits == 3) ((long)audit.Summary["repaired"]!).ShouldBe(1);
        }

        await writing;
        await State.ProjectedAsync();
        (await ShopAudit.RunAsync(Shop)).Different.ShouldBe(0);
        await State.DocumentsEqualTablesAsync();
    }

    private async Task HarmAsync(int product)
    {
        await using var superuser = NpgsqlDataSource.Create(Shop.Database.Superuser);
        await using var harm =
            superuser.CreateCommand($"UPDATE read.products SET stock = stock + 1 WHERE id = {product}");
        (await harm.ExecuteNonQueryAsync()).ShouldBe(1);
    }
}
