using ApexShop.Commands.Api.Bulk;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Events;
using ApexShop.Resources;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
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

    [Fact]
    public async Task It_goes_on_after_a_connection_that_ended_with_another_exception_than_the_drivers()
    {
        var attempts = 0;
        var builder = new NpgsqlDataSourceBuilder(app.Database.Commands);
        builder.UsePhysicalConnectionInitializer(_ => throw new TimeoutException(), _ =>
        {
            Interlocked.Increment(ref attempts);
            throw new TimeoutException();
        });
        await using var unresolved = builder.Build();
        using var signal = new OutboxSignal(unresolved, TimeProvider.System, NullLogger<OutboxSignal>.Instance);
        await signal.StartAsync(CancellationToken.None);

        await Eventually.Holds(
            () =>
            {
                signal.Send();
                return Volatile.Read(ref attempts) > 1;
            },
            "it has tried again after the first failure");

        signal.ExecuteTask!.IsCompleted.ShouldBeFalse();
        await signal.StopAsync(CancellationToken.None);
    }

    private async Task ShouldWakeAsync(Func<Task> change)
    {
        await using var listener = await ListenAsync();
        await change();
        (await listener.WaitAsync(TimeSpan.FromSeconds(10))).ShouldBeTrue();
    }

    // Waits until the signals of earlier commits have arrived: a second without one.
    private async Task<NpgsqlConnection> ListenAsync()
    {
        var listener = new NpgsqlConnection(app.Database.Commands);
        await listener.OpenAsync();
        await using (var listen = new NpgsqlCommand("LISTEN apexshop_outbox", listener))
            await listen.ExecuteNonQueryAsync();
        while (await listener.WaitAsync(TimeSpan.FromSeconds(1)))
        {
        }

        return listener;
    }
}
