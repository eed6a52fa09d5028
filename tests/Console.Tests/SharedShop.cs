namespace ApexShop.Console.Tests;

/// <summary>The shop of all tests that leave its processes alone.</summary>
[CollectionDefinition(nameof(SharedShop))]
public sealed class SharedShop : ICollectionFixture<LiveShop>;
