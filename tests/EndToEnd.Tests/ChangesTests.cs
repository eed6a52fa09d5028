using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.EndToEnd.Tests.Rebuilding;
using ApexShop.Resources;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests;

public sealed class ChangesTests(LockedShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<LockedShop>
{
    private const int Writes = 300;

    [Fact]
    public async Task A_change_that_is_committed_late_is_missed_by_modifiedAfter_and_not_by_changes()
    {
        var (category, other) = (await CategoryAsync(), await CategoryAsync());
        var late = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category, "Early"));
        await State.ProjectedAsync();
        var client = new ChangeClient(Shop, Resource.Products.Name);
        await client.ReadAllAsync();

        Task replacing;
        string highest;
        await using (await Shop.Database.HoldAsync($"SELECT FROM shop.categories WHERE id = {other} FOR UPDATE"))
        {
            // It has its time already when the foreign key makes it wait for the category.
            replacing = Client.ReplaceAsync(Resource.Products.Name, late.Id, Bodies.Product(other, "Late"));
            await Shop.Database.HeldUpAsync("commands");
            var next = await Client.CreateAsync(Resource.Products.Name, Bodies.Product(category, "Next"));
            var document = await Client.SeesAsync(Resource.Products.Name, next.Id, _ => true);
            highest = (string)document["createdDate"]!;
            await client.ReadAllAsync();
            client.Documents[next.Id].ShouldContain("\"Next\"");
            client.Documents[late.Id].ShouldContain("\"Early\"");
        }

        await replacing;
        await State.ProjectedAsync();
        var modified = (await Shop.Queries.Http.GetFromJsonAsync<JsonNode>(
            $"/products/cursor?modifiedAfter={highest}"))!["data"]!.AsArray();
        modified.Count.ShouldBe(0, "the late commit has an earlier time than what the client has seen");
        await client.ReadAllAsync();
        client.Documents[late.Id].ShouldContain("\"Late\"");
    }

    [Fact]
    public async Task Clients_that_follow_slow_commits_deletions_renames_and_a_rebuild_have_the_documents_of_the_lists()
    {
        var clients = Resource.Names.Select(name => new ChangeClient(Shop, name)).ToList();
        using var stop = new BlockCancellation();
        var following = Task.WhenAll(clients.Select((one, i) => one.FollowAsync(new Random(i), stop.Token)));
        var holding = HoldRowsAsync(new Random(7), stop.Token);
        var gate = new WriteGate();
        var traffic = await Traffic.PrepareAsync(Shop, products: 20, users: 5, stock: 500);
        var writing =
            traffic.WriteAsync(gate, Writes, writers: 4, static (client, random) => client.AnythingAsync(random));
        gate.AllowUpTo(Writes / 2);
        (await Shop.RebuildAsync()).ShouldBeDone();
        gate.AllowUpTo(Writes);
        await writing;
        await State.ProjectedAsync(TimeSpan.FromMinutes(1));
        await stop.CancelAsync();
        await Task.WhenAll(following, holding);

        foreach (var (name, client) in Resource.Names.Zip(clients))
        {
            await client.ReadAllAsync();
            client.Restarts.ShouldBe(1, name);
            var listed = (await Shop.Queries.Http.GetFromJsonAsync<JsonNode>($"/{name}/stream"))!.AsArray()
                .ToDictionary(document => (int)document!["id"]!, document => document!.ToJsonString());
            listed.ShouldNotBeEmpty();
            client.Documents.OrderBy(one => one.Key).ShouldBe(listed.OrderBy(one => one.Key), name);
        }
    }

    private async Task<int> CategoryAsync() =>
        (await Client.CreateAsync(Resource.Categories.Name, Bodies.Category($"Category {Guid.NewGuid():N}"))).Id;

    // Commands that refer to the row are committed later than others which took their time after them.
    private async Task HoldRowsAsync(Random random, CancellationToken ct)
    {
        while (!ct.IsCancellationRequested)
        {
            var table = random.Next(2) == 0 ? "shop.categories" : "shop.users";
            await using var held = await Shop.Database.HoldAsync(
                $"SELECT FROM {table} WHERE id = (SELECT id FROM {table} ORDER BY random() LIMIT 1) FOR UPDATE");
            await Task.Delay(random.Next(10, 150), CancellationToken.None);
        }
    }
}
