using ApexShop.Resources;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>An aggregate; its table has the name of its resource.</summary>
internal interface IAggregate
{
    static abstract Resource Resource { get; }

    int Id { get; }

    long Version { get; }
}
