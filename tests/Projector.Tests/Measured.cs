namespace ApexShop.Projector.Tests;

/// <summary>Tests that look at the whole process run while no other does.</summary>
[CollectionDefinition(nameof(Measured), DisableParallelization = true)]
public sealed class Measured;
