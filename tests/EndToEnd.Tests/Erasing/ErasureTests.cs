using System.Net;
using ApexShop.Resources;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Erasing;

/// <summary>
/// A shop with customers whose data is unique text: after their erasure it is in no table and no response. The same
/// searches find it before.
/// </summary>
public sealed class ErasureTests(ITestOutputHelper output) : IAsyncLifetime, IDisposable
{
    private readonly PrivateRedis redis = new();
    private Shop shop = null!;

    public async Task InitializeAsync()
    {
        await redis.StartAsync();
        // Responses that are not valid any more are removed after this time. Redis is waited for, so that each response
        // is stored there.
        shop = await Shop.StartAsync(
            ShopServers.Shared with { Redis = redis.Configuration },
            ("Caching__RedisSeconds", "5"), ("Caching__RedisMilliseconds", "10000"));
    }

    public async Task DisposeAsync()
    {
        output.WriteLine(shop.Tail());
        await shop.DisposeAsync();
    }

    public void Dispose() => redis.Dispose();

    [Fact]
    public async Task Nothing_of_a_person_is_left_after_the_erasure()
    {
        var people = await PeopleAsync(20);
        var current = people.SelectMany(person => person.Current).ToList();
        var all = people.SelectMany(person => person.All).ToList();
        var search = new PersonSearch(shop, redis);
        await search.State.ProjectedAsync();

        (await search.TablesAsync("shop", current, except: "events")).ShouldBe(current, ignoreOrder: true);
        (await search.TablesAsync("read", current)).ShouldBe(current, ignoreOrder: true);
        (await search.TablesAsync("shop", all)).ShouldBe(all, ignoreOrder: true);
        (await search.EventsAsync(all)).ShouldBe(all, ignoreOrder: true);
        (await search.DocumentsAsync(current)).ShouldBe(current, ignoreOrder: true);
        (await search.RedisAsync(all)).ShouldBe(people.Select(person => person.FirstName), ignoreOrder: true);
        var entries = await search.EntriesAsync();

        foreach (var person in people)
        {
            using var response = await shop.Commands.Http.PostAsync($"/users/{person.Id}/erase", null);
            response.StatusCode.ShouldBe(HttpStatusCode.NoContent, await response.Content.ReadAsStringAsync());
        }

        await search.State.ProjectedAsync();
        (await search.TablesAsync("shop", all)).ShouldBeEmpty();
        (await search.TablesAsync("read", all)).ShouldBeEmpty();
        (await search.EventsAsync(all)).ShouldBeEmpty();
        await Eventually.Holds(async () => (await search.DocumentsAsync(all)).Count == 0, "no document has a person");
        await Eventually.Holds(async () => (await search.RedisAsync(all)).Count == 0, "Redis has no person");
        (await search.EntriesAsync())[..entries.Count].ShouldBe(entries);
        await search.State.DocumentsEqualTablesAsync();
        await search.State.LogIsWholeAsync();
        await search.State.LogEqualsTablesAsync();
    }

    [Fact]
    public async Task New_documents_are_made_without_the_person_and_the_earlier_ones_can_be_dropped()
    {
        var (person, search) = ((await PeopleAsync(1))[0], new PersonSearch(shop, redis));
        await search.State.ProjectedAsync();
        await OperateAsync(HttpMethod.Post, "rebuild");
        await Eventually.Holds(
            async () => (await search.SchemasAsync()).Contains("read_previous"), "the documents are exchanged");
        using var erased = await shop.Commands.Http.PostAsync($"/users/{person.Id}/erase", null);
        await search.State.ProjectedAsync();
        (await search.TablesAsync("read_previous", person.All)).ShouldNotBeEmpty();

        await OperateAsync(HttpMethod.Delete, "previous");

        foreach (var schema in await search.SchemasAsync())
            (await search.TablesAsync(schema, person.All)).ShouldBeEmpty(schema);
        await search.State.DocumentsEqualTablesAsync();
    }

    private async Task OperateAsync(HttpMethod method, string path)
    {
        using var request = new HttpRequestMessage(method, $"/admin/projections/{path}");
        using var response = await shop.Commands.Http.SendAsync(request);
        ((int)response.StatusCode).ShouldBeInRange(200, 299, await response.Content.ReadAsStringAsync());
    }

    private async Task<List<Person>> PeopleAsync(int count)
    {
        var client = new ShopClient(shop);
        var category = await client.CreateAsync(Resource.Categories.Name, Bodies.Category("Lights"));
        var product = await client.CreateAsync(Resource.Products.Name, Bodies.Product(category.Id, stock: 1_000));
        var people = new List<Person>();
        for (var i = 0; i < count; i++) people.Add(await Person.OrderAsync(shop.Commands.Http, product.Id));
        return people;
    }
}
