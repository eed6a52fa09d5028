namespace ApexShop.Projector.Messaging;

/// <summary>The body of a message as it came: a CloudEvents batch.</summary>
internal sealed record EventMessage(ReadOnlyMemory<byte> Body);
