using ApexShop.Projector.Documents;
using ApexShop.Projector.Projecting;
using ApexShop.Resources;

namespace ApexShop.Projector.Tests.Projecting;

public sealed class ProjectionsTests
{
    [Fact]
    public void A_resource_without_a_projection_prevents_the_start()
    {
        var projections = new Projections("USD");
        IProjection[] others = [.. Resource.Names.SkipLast(1).Select(name => projections[name])];

        Should.Throw<InvalidOperationException>(() => Projections.ByKind(others)).Message
            .ShouldBe($"The resource '{Resource.Names[^1]}' has no projection.");
    }
}
