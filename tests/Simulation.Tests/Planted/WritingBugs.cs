using ApexShop.Commands.Api.Outbox;

namespace ApexShop.Simulation.Tests.Planted;

/// <summary>The cursor moves before the broker has confirmed the messages.</summary>
internal sealed class CursorBeforeTheConfirm : Bugs
{
    public override IEventBus Bus(IEventBus bus) => new Unconfirmed(bus);

    private sealed class Unconfirmed(IEventBus bus) : IEventBus
    {
        public Task PublishAsync(string resource, byte[] batch, TimeSpan limit, CancellationToken ct)
        {
            _ = bus.PublishAsync(resource, batch, limit, ct)
                .ContinueWith(static _ => { }, ct, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
            return Task.CompletedTask;
        }

        public Task ProbeAsync(TimeSpan limit, CancellationToken ct) => bus.ProbeAsync(limit, ct);
    }
}

/// <summary>A message whose confirm does not come is given up instead of sent again.</summary>
internal sealed class MessageWithoutConfirmIsGivenUp : Bugs
{
    public override IEventBus Bus(IEventBus bus) => new Once(bus);

    private sealed class Once(IEventBus bus) : IEventBus
    {
        public async Task PublishAsync(string resource, byte[] batch, TimeSpan limit, CancellationToken ct)
        {
            try
            {
                await bus.PublishAsync(resource, batch, limit, ct);
            }
            catch (Exception) when (!ct.IsCancellationRequested)
            {
                // The bug: the next message follows.
            }
        }

        public Task ProbeAsync(TimeSpan limit, CancellationToken ct) => bus.ProbeAsync(limit, ct);
    }
}
