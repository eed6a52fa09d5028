namespace ApexShop.Commands.Api.Bulk;

/// <summary>An item that replaces the row with its id, which must have its version, if the item has one.</summary>
internal interface IReplacementItem
{
    int? Id { get; }

    long? Version { get; }
}
