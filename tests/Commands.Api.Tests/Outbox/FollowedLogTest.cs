namespace ApexShop.Commands.Api.Tests.Outbox;

/// <summary>A test with a log of its own and a consumer that is bound to all that is published of it.</summary>
public abstract class FollowedLogTest : IAsyncLifetime
{
    internal string Exchange { get; } = $"test.log.{Guid.NewGuid():N}";

    internal LogDatabase Database { get; private set; } = null!;

    internal EventQueue Queue { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        Database = await LogDatabase.CreateAsync();
        Queue = await EventQueue.BindAsync(Exchange, "#");
    }

    public async Task DisposeAsync()
    {
        await Queue.DisposeAsync();
        await Database.DisposeAsync();
    }
}
