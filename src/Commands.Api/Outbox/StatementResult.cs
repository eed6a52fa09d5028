namespace ApexShop.Commands.Api.Outbox;

/// <summary>What a set-based statement did: how many rows it changed, and the last of their events.</summary>
internal sealed record StatementResult(int Changed, int? LastId, long? LastVersion);
