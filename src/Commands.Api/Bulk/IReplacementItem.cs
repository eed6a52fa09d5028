namespace ApexShop.Commands.Api.Bulk;

/// <summary>An item with the id of the row that it replaces and, optionally, the version that the row must have.</summary>
internal interface IReplacementItem
{
    int? Id { get; }

    long? Version { get; }
}
