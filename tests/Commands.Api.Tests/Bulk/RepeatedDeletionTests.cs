using System.Net;
using System.Net.Http.Json;
using ApexShop.Commands.Api.Tests.Persistence;
using ApexShop.TestKit;

namespace ApexShop.Commands.Api.Tests.Bulk;

/// <summary>A deletion that finds nothing any more, at a primary whose replica does not respond.</summary>
public sealed class RepeatedDeletionTests : IAsyncLifetime
{
    private readonly ReplicatedShop shop = new();

    public Task InitializeAsync() => shop.InitializeAsync();

    public Task DisposeAsync() => shop.DisposeAsync();

    [Fact]
    public async Task Its_response_waits_for_the_replica()
    {
        (await shop.Http.PostAsJsonAsync("/categories", new { name = "Lights" })).EnsureSuccessStatusCode();
        (await DeleteAsync()).EnsureSuccessStatusCode();
        await shop.LoseReplicaAsync();

        var repeated = DeleteAsync();
        await Eventually.Holds(async () => await shop.WaitingAsync() == 1, "it waits for the replica");
        repeated.IsCompleted.ShouldBeFalse();

        await shop.RegainReplicaAsync();
        (await repeated).StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    private Task<HttpResponseMessage> DeleteAsync() =>
        shop.Http.SendAsync(
            new(HttpMethod.Delete, "/categories/bulk") { Content = JsonContent.Create(new[] { 1 }) });
}
