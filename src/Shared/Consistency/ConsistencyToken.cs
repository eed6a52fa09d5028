namespace ApexShop.Consistency;

/// <summary>
/// The changes of a command that a query must include: for each resource that the command changed, the aggregate of the
/// last event and its version. The events of a resource are applied in order, so documents that include this version
/// include the whole command. The token is opaque to clients. A command that changed nothing has a token without
/// changes.
/// </summary>
public sealed record ConsistencyToken(IReadOnlyList<ConsistencyToken.Change> Changes)
{
    /// <summary>The header in the response of a command and in the request of a query.</summary>
    public const string Header = "Consistency-Token";

    /// <summary>A version of an aggregate; it may be the version of its deletion.</summary>
    public sealed record Change(string Resource, int Id, long Version);
}
