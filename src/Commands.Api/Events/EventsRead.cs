namespace ApexShop.Commands.Api.Events;

/// <summary>Metadata of an endpoint that serves the event log: as it is now, or live.</summary>
internal sealed record EventsRead(bool IsLive);
