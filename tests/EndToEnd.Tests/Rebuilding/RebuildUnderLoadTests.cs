using System.Net;
using ApexShop.EndToEnd.Tests.Comparison;
using ApexShop.Resources;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Rebuilding;

public sealed class RebuildUnderLoadTests(SeededShop seeded, ITestOutputHelper output)
    : ShopTests(seeded.Shop, output), IClassFixture<SeededShop>
{
    private const int Writes = 400;

    [Fact]
    public async Task While_all_documents_are_rebuilt_and_rolled_back_no_request_fails_and_nothing_is_lost()
    {
        var epoch = await Shop.EpochAsync();
        using var reading = new BlockCancellation();
        var readers = new Readers(Shop);
        var reads = readers.RunAsync(reading.Token);
        var gate = new WriteGate();
        var traffic = await Traffic.PrepareAsync(Shop, products: 20, users: 5, stock: 500);
        var writers =
            traffic.WriteAsync(gate, Writes, writers: 3, static (client, random) => client.AnythingAsync(random));
        gate.AllowUpTo(Writes / 2);

        (await Shop.RebuildAsync()).ShouldBeDone();
        gate.AllowUpTo(Writes);
        (await Shop.RebuildAsync()).ShouldBeDone();
        await writers;
        using (var back = await Shop.Commands.Http.PostAsync("/admin/projections/rollback", null))
            back.StatusCode.ShouldBe(HttpStatusCode.OK);
        await reading.CancelAsync();
        await reads;
        readers.Faults.ShouldBeEmpty();
        readers.Responses.ShouldBeGreaterThan(100);
        readers.Expired.ShouldBeGreaterThan(0);
        traffic.Retries.ShouldBe(0);
        (await Shop.EpochAsync()).ShouldBeGreaterThan(epoch);
        await State.ProjectedAsync(TimeSpan.FromMinutes(1));
        await State.LogIsWholeAsync();
        await State.DocumentsEqualTablesAsync();
        using var dropped = await Shop.Commands.Http.DeleteAsync("/admin/projections/previous");
        dropped.StatusCode.ShouldBe(HttpStatusCode.NoContent);
    }

    [Fact]
    public async Task Responses_cached_before_a_rebuild_are_not_served_after_it()
    {
        var id = (await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Right"))).Id;
        await Client.SeesAsync(Resource.Categories.Name, id, document => (string)document["name"]! == "Right");
        await State.ProjectedAsync();
        // Damage without an invalidated tag: it stays in every cache and in the segments of the stream.
        await DamageAsync(id);
        await Shop.Queries.KillAsync();
        await Shop.Queries.StartAsync();
        (await TextAsync($"/categories/{id}")).ShouldContain("Wrong");
        (await TextAsync("/categories/stream?limit=2000")).ShouldContain("Wrong");
        var page = await TextAsync("/categories/cursor?pageSize=5");
        var cursor = (string)System.Text.Json.Nodes.JsonNode.Parse(page)!["nextCursor"]!;
        using var first = await Shop.Queries.Http.GetAsync($"/categories/{id}");

        var status = await Shop.RebuildAsync();

        status.ShouldBeDone();
        ((int)status["documents"]!["categories"]!["differing"]!).ShouldBe(1);
        (await TextAsync($"/categories/{id}")).ShouldContain("Right");
        (await TextAsync("/categories/stream?limit=2000")).ShouldNotContain("Wrong");
        using var old =
            await Shop.Queries.Http.GetAsync($"/categories/cursor?pageSize=5&after={Uri.EscapeDataString(cursor)}");
        old.StatusCode.ShouldBe(HttpStatusCode.Gone);
        using var request = new HttpRequestMessage(HttpMethod.Get, $"/categories/{id}")
        {
            Headers = { IfNoneMatch = { first.Headers.ETag! } },
        };
        using var again = await Shop.Queries.Http.SendAsync(request);
        again.StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    private Task<string> TextAsync(string path) => Shop.Queries.Http.GetStringAsync(path);

    private Task<int> DamageAsync(int id) => State.Database.ScalarAsync<int>("""
        UPDATE read.categories SET body = convert_to(replace(convert_from(body, 'UTF8'), 'Right', 'Wrong'), 'UTF8'),
            data = jsonb_set(data, '{name}', '"Wrong"') WHERE id = $1 RETURNING id
        """, id);
}
