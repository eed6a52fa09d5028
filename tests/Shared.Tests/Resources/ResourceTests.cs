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
        types.ShouldAllBe(type => type.Name.StartsWith($"apexshop.{Resource.Of(name).Singular}.", StringComparison.Ordinal));
        types.Count(type => type.Data == typeof(DeletedState)).ShouldBe(1);
        var state = types.Select(type => type.Data).Where(data => data != typeof(DeletedState)).Distinct().ShouldHaveSingleItem();
        EventJson.Default.GetTypeInfo(state).ShouldNotBeNull();
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Each_resource_has_a_view_of_its_own(string name) =>
        Resource.Names.Count(other => ReadModelJson.ViewOf(other).Type == ReadModelJson.ViewOf(name).Type).ShouldBe(1);

    [Fact]
    public void Event_types_belong_to_resources() => EventTypes.All.ShouldAllBe(type => Resource.Exists(type.Resource));

    [Fact]
    public void Only_the_views_of_resources_and_their_parts_are_contracts_of_documents() =>
        typeof(ReadModelJson).GetProperties().Where(property => property.PropertyType.IsAssignableTo(typeof(JsonTypeInfo)))
            .Select(property => property.PropertyType.GenericTypeArguments[0])
            .Where(type => type.Name.EndsWith("View", StringComparison.Ordinal) && type != typeof(OrderItemView))
            .ShouldBe(Resource.Names.Select(name => ReadModelJson.ViewOf(name).Type), ignoreOrder: true);

    [Theory]
    [InlineData("Products")]
    [InlineData("product")]
    [InlineData("brands")]
    [InlineData("")]
    public void An_unknown_name_is_refused_and_never_taken_for_a_resource(string name)
    {
        Resource.Exists(name).ShouldBeFalse();
        Should.Throw<ArgumentException>(() => Resource.Of(name)).Message.ShouldContain($"'{name}' is not a resource");
        Should.Throw<ArgumentException>(() => ReadModelJson.ViewOf(name));
    }

    [Fact]
    public void Scopes_of_resources_can_be_given_to_keys() =>
        Resource.All.ShouldAllBe(resource =>
            Scopes.All.Contains(resource.WriteScope) && (resource.ReadScope == null || Scopes.All.Contains(resource.ReadScope)));
}
