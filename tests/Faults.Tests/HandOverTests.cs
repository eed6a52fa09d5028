using System.Net.Http.Json;
using ApexShop.Resources;

namespace ApexShop.Faults.Tests;

public sealed class HandOverTests
{
    [Fact]
    public async Task A_stopping_leader_hands_over_and_still_completes_its_running_request()
    {
        // The request that is held may wait longer than until the other process leads.
        await using var shop = await Shop.StartAsync(
            ShopServers.Shared, ("Stopping__DrainSeconds", "0"), ("Stopping__RequestSeconds", "90"),
            ("Persistence__LockSeconds", "60"), ("Limits__RequestSeconds", "90"));
        var second = await shop.AddCommandsAsync();
        var client = new ShopClient(shop);
        var state = new ShopState(shop);
        var held = await client.CreateAsync(Resource.Categories.Name, Bodies.Category("Held"));
        await state.ProjectedAsync();

        Task<HttpResponseMessage> slow;
        await using (await shop.Database.HoldAsync($"SELECT FROM shop.categories WHERE id = {held.Id} FOR UPDATE"))
        {
            slow = shop.Commands.Http.PutAsJsonAsync($"/categories/{held.Id}", Bodies.Category("Held no longer"));
            await shop.Database.HeldUpAsync("commands");
            await shop.Commands.TerminateAsync();

            await Eventually.Holds(
                () => second.Tail(400).Contains("This process leads", StringComparison.Ordinal), "the other leads",
                TimeSpan.FromSeconds(20));
            using var other = await second.Http.PostAsJsonAsync("/categories", Bodies.Category("From the other"));
            other.EnsureSuccessStatusCode();
            await state.ProjectedAsync();
            slow.IsCompleted.ShouldBeFalse();
        }

        using var response = await slow;
        response.IsSuccessStatusCode.ShouldBeTrue();
        response.Headers.ConnectionClose.ShouldBe(true);
        (await shop.Commands.ExitAsync()).ShouldBe(0);
        await state.ProjectedAsync();
        await state.LogIsWholeAsync();
        await state.DocumentsEqualTablesAsync();
    }
}
