namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>Why a rebuild ended without switching the tables, in words for operators.</summary>
internal sealed class RebuildException(string message, bool isTransient = false) : Exception(message)
{
    /// <summary>Whether it may succeed when it is continued.</summary>
    public bool IsTransient => isTransient;
}
