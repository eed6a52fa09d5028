using System.Diagnostics;
using System.Text.Json;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>Puts events beside the changes they tell of; the caller's SaveChanges commits both or neither.</summary>
internal sealed class EventOutbox(ShopDbContext db)
{
    public void Add(DomainEvent change) => db.Outbox.Add(new OutboxRow
    {
        Type = change.Type,
        Resource = change.Resource,
        AggregateId = change.State.Id,
        Version = change.State.Version,
        TraceParent = Activity.Current?.Id,
        Data = JsonSerializer.Serialize(change.State, change.State.GetType(), EventJson.Wire),
    });
}
