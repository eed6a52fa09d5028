using System.Reflection;

namespace ApexShop.Architecture.Tests;

public sealed class SliceTests
{
    public static TheoryData<string> Programs => ["Commands.Api", "Projector", "Queries.Api"];

    public static TheoryData<string> Apis => ["Commands.Api", "Queries.Api"];

    [Theory]
    [MemberData(nameof(Apis))]
    public void Only_its_route_table_uses_a_slice(string project)
    {
        var types = Types(project);
        types.Count(SliceRules.IsSlice).ShouldBeGreaterThan(3);
        SliceRules.Isolated(types).ShouldBeEmpty();
    }

    [Theory]
    [MemberData(nameof(Apis))]
    public void Every_slice_is_in_a_route_table(string project)
    {
        var types = Types(project);
        types.ShouldContain(type => SliceRules.IsRoutes(type));
        SliceRules.RoutesAreMappedOnce(types).ShouldBeEmpty();
    }

    [Theory]
    [MemberData(nameof(Apis))]
    public void A_file_has_one_endpoint(string project)
    {
        var files = Sources.Of(project).ToList();
        files.ShouldNotBeEmpty();
        SliceRules.OneEndpointPerFile(files).ShouldBeEmpty();
    }

    [Theory]
    [MemberData(nameof(Programs))]
    public void Types_of_a_program_are_internal(string project)
    {
        var types = Types(project);
        types.ShouldNotBeEmpty();
        SliceRules.Internal(types).ShouldBeEmpty();
    }

    [Theory]
    [MemberData(nameof(Programs))]
    public void Classes_are_sealed(string project)
    {
        var types = Types(project);
        types.ShouldNotBeEmpty();
        SliceRules.Sealed(types).ShouldBeEmpty();
    }

    [Fact]
    public void A_slice_that_uses_another_slice_is_found()
    {
        var types = Written(Planted.Compile("""
            namespace ApexShop.Commands.Api.Products;
            static class CreateProduct { public static void Map() { } internal record Command; }
            static class UpdateProduct
            {
                public static void Map() { }
                static void Handle() { System.Action late = () => new CreateProduct.Command(); }
            }
            static class ProductRoutes { static void MapProducts() { CreateProduct.Map(); UpdateProduct.Map(); } }
            """));
        SliceRules.Isolated(types)
            .ShouldBe(
                ["ApexShop.Commands.Api.Products.UpdateProduct uses slice "
                    + "ApexShop.Commands.Api.Products.CreateProduct"]);
        SliceRules.RoutesAreMappedOnce(types).ShouldBeEmpty();
    }

    [Fact]
    public void An_aggregate_that_uses_a_slice_is_found()
    {
        var types = Written(Planted.Compile("""
            namespace ApexShop.Commands.Api.Products;
            static class CreateProduct { public static void Map() { } internal record Command; }
            sealed class Product { void Apply(System.Collections.Generic.List<CreateProduct.Command> commands) { } }
            """));
        SliceRules.Isolated(types)
            .ShouldBe(
                ["ApexShop.Commands.Api.Products.Product uses slice ApexShop.Commands.Api.Products.CreateProduct"]);
        SliceRules.RoutesAreMappedOnce(types)
            .ShouldBe(["ApexShop.Commands.Api.Products.CreateProduct is in no route table"]);
    }

    [Fact]
    public void A_public_type_and_an_open_class_are_found()
    {
        var types = Written(Planted.Compile("""
            namespace ApexShop.Projector;
            public sealed class Wide { }
            class Open { }
            class Base { }
            sealed class Derived : Base { class Inner { } }
            """));
        SliceRules.Internal(types).ShouldBe(["ApexShop.Projector.Wide is public"]);
        SliceRules.Sealed(types)
            .ShouldBe(["ApexShop.Projector.Open is not sealed", "ApexShop.Projector.Derived+Inner is not sealed"]);
    }

    [Fact]
    public void A_second_endpoint_in_a_file_is_found() =>
        SliceRules.OneEndpointPerFile(
            [new SourceFile("Two.cs", "class A { void Map() { } } class B { void Map() { } }")])
            .ShouldBe(["Two.cs has 2 endpoints"]);

    private static List<Type> Types(string project) => Written(Assembly.Load($"ApexShop.{project}"));

    private static List<Type> Written(Assembly assembly) => [.. TypeUses.Written(assembly)];
}
