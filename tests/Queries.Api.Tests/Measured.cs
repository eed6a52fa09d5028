namespace ApexShop.Queries.Api.Tests;

/// <summary>Tests that measure the whole process run alone.</summary>
[CollectionDefinition(nameof(Measured), DisableParallelization = true)]
public sealed class Measured;
