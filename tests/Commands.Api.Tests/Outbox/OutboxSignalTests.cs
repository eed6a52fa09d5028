using ApexShop.Commands.Api.Bulk;
using ApexShop.Events;
using ApexShop.Resources;
using Microsoft.Extensions.DependencyInjection;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Outbox;

public sealed class OutboxSignalTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task A_commit_of_SaveChanges_wakes_the_leader() =>
        await ShouldWakeAsync(async () => await app.CategoryAsync());

    [Fact]
    public async Task A_commit_of_a_transaction_wakes_the_leader()
    {
        var id = await app.CategoryAsync();
        await ShouldWakeAsync(() => app.PutAsync($"/categories/{id}", new { name = "Lamps" }));
    }

    [Fact]
    public async Task A_deletion_in_chunks_wakes_the_leader()
    {
        var id = await app.CategoryAsync();
        await ShouldWakeAsync(async () =>
        {
            await using var scope = app.Services.CreateAsyncScope();
            await scope.ServiceProvider.GetRequiredService<ChunkedDeletion>().DeleteAsync(
                EventTypes.CategoryDeleted, Resource.Categories.Name,
                _ => $"DELETE FROM shop.categories WHERE id = {id}", default);
        });
    }

    private async Task ShouldWakeAsync(Func<Task> change)
    {
        await using var listener = await ListenAsync();
        await change();
        (await listener.WaitAsync(TimeSpan.FromSeconds(10))).ShouldBeTrue();
    }

    // Waits until the signals of earlier commits have arrived: a tenth of a second without one.
    private async Task<NpgsqlConnection> ListenAsync()
    {
        var listener = new NpgsqlConnection(app.Database.Commands);
        await listener.OpenAsync();
        await using (var listen = new NpgsqlCommand("LISTEN apexshop_outbox", listener))
            await listen.ExecuteNonQueryAsync();
        while (await listener.WaitAsync(TimeSpan.FromMilliseconds(100)))
        {
        }

        return listener;
    }
}
