namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>Why a rebuild ended without an exchange of tables, in words for operators.</summary>
internal sealed class RebuildException(string message) : Exception(message);
