namespace ApexShop.Console.Tests;

/// <summary>The shop of all tests that do not stop its processes.</summary>
[CollectionDefinition(nameof(SharedShop))]
public sealed class SharedShop : ICollectionFixture<LiveShop>;
