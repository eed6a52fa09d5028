namespace ApexShop.Commands.Api.Bulk;

/// <summary>An item that says which row it replaces, and optionally which version of it.</summary>
internal interface IReplacementItem
{
    int? Id { get; }

    long? Version { get; }
}
