namespace ApexShop.Commands.Api.Outbox;

/// <summary>Section <c>Outbox</c>.</summary>
internal sealed class OutboxOptions
{
    public const string Section = "Outbox";

    /// <summary>Off: this process writes the outbox but never sequences or publishes it.</summary>
    public bool Enabled { get; set; } = true;
}
