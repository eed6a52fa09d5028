namespace ApexShop.Queries.Api.Tests.Endpoints;

public sealed class EveryResource : TheoryData<string>
{
    public EveryResource()
    {
        foreach (var resource in Documents.Resources) Add(resource);
    }
}
