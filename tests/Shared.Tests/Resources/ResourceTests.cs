using System.Text.Json.Serialization.Metadata;
using ApexShop.Access;
using ApexShop.Events;
using ApexShop.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Shared.Tests.Resources;

public sealed class ResourceTests
{
    public static TheoryData<string> Names => [.. Resource.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void Each_resource_has_event_types_with_one_state_and_a_deletion(string name)
    {
        var types = EventTypes.All.Where(type => type.Resource == name).ToList();
        var prefix = $"apexshop.{Resource.Of(name).Singular}.";
        types.ShouldAllBe(type => type.Name.StartsWith(prefix, StringComparison.Ordinal));
        types.Count(type => type.Data == typeof(DeletedState)).ShouldBe(1);
        var states = types.Select(type => type.Data).Where(data => data != typeof(DeletedState)).Distinct();
        var state = states.ShouldHaveSingleItem();
        EventJson.Default.GetTypeInfo(state).ShouldNotBeNull();
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Each_resource_has_a_view_of_its_own(string name) =>
        Resource.Names.Count(other => ReadModelJson.ViewOf(other).Type == ReadModelJson.ViewOf(name).Type).ShouldBe(1);

    [Fact]
    public void Event_types_belong_to_resources() => EventTypes.All.ShouldAllBe(type => Resource.Exists(type.Resource));

    [Fact]
    public void Every_view_belongs_to_a_resource() =>
        typeof(ReadModelJson).GetProperties()
            .Where(property => property.PropertyType.IsAssignableTo(typeof(JsonTypeInfo)))
            .Select(property => property.PropertyType.GenericTypeArguments[0])
            .Where(type => type.Name.EndsWith("View", StringComparison.Ordinal))
            .Except([typeof(OrderItemView), typeof(OrderStatusView)])
            .ShouldBe(Resource.Names.Select(name => ReadModelJson.ViewOf(name).Type), ignoreOrder: true);

    [Theory]
    [InlineData("Products")]
    [InlineData("product")]
    [InlineData("nothings")]
    [InlineData("")]
    public void An_unknown_name_is_refused(string name)
    {
        Resource.Exists(name).ShouldBeFalse();
        Should.Throw<ArgumentException>(() => Resource.Of(name)).Message.ShouldContain($"'{name}' is not a resource");
        Should.Throw<ArgumentException>(() => ReadModelJson.ViewOf(name));
    }

    [Fact]
    public void Scopes_of_resources_can_be_given_to_keys() =>
        Resource.All.SelectMany(resource => new[] { resource.WriteScope, resource.ReadScope }).OfType<string>()
            .ShouldBeSubsetOf(Scopes.All);
}
