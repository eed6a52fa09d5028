namespace ApexShop.Events.Client;

/// <summary>An event that was not applied: it was refused, or follows a parked one of its aggregate.</summary>
public sealed record ParkedEvent(ShopEvent Event, string Reason);
