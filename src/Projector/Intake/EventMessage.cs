namespace ApexShop.Projector.Intake;

/// <summary>The body of a message as it came: a CloudEvents batch.</summary>
internal sealed record EventMessage(ReadOnlyMemory<byte> Body);
