using System.Reflection;
using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests;

/// <summary>Folders stand on floors (eng/Architecture.txt): a folder uses the folders below it and no others.</summary>
public sealed class FloorTests
{
    public static TheoryData<string> Projects => [.. FloorTable.Projects.Keys];

    [Fact]
    public void Every_project_has_floors() =>
        FloorTable.Projects.Keys.Order().ShouldBe(ReferenceTable.Projects.Keys.Order());

    [Theory]
    [MemberData(nameof(Projects))]
    public void Every_folder_has_a_floor_and_every_floor_a_folder(string project)
    {
        var root = Path.Combine(Repository.Root, "src", project);
        var folders = Directory.GetDirectories(root).Select(folder => Path.GetFileName(folder))
            .Except(["bin", "obj", "Properties"]).ToList();

        folders.ShouldNotBeEmpty();
        FloorRules.Folders(FloorTable.Projects[project], folders).ShouldBeEmpty();
    }

    [Theory]
    [MemberData(nameof(Projects))]
    public void No_type_uses_a_type_of_a_floor_above(string project)
    {
        var types = TypeUses.Written(Assembly.Load($"ApexShop.{project}")).ToList();
        types.ShouldNotBeEmpty();
        FloorRules.Types(FloorTable.Projects[project], types).ShouldBeNone();
    }

    [Theory]
    [MemberData(nameof(Projects))]
    public void No_file_names_a_floor_above(string project)
    {
        var files = Sources.Of(project).ToList();
        files.ShouldNotBeEmpty();
        FloorRules.Names(FloorTable.Projects[project], files).ShouldBeNone();
    }

    [Theory]
    [MemberData(nameof(Projects))]
    public void No_nested_folders_use_each_other(string project) =>
        FloorRules.Circles(FloorTable.Projects[project], TypeUses.Written(Assembly.Load($"ApexShop.{project}")))
            .ShouldBeNone();

    [Fact]
    public void A_planted_circle_of_nested_folders_is_found()
    {
        var planted = Planted.Compile("""
            namespace ApexShop.Queries.Api.Caching { class Cache { object? deep = new Deep.Store(); } }
            namespace ApexShop.Queries.Api.Caching.Deep { class Store { Cache? cache = null; } }
            namespace ApexShop.Queries.Api.Reading { class Reader { object? low = new Low.Sql(); } }
            namespace ApexShop.Queries.Api.Reading.Low { class Sql { object? other = new Caching.Cache(); } }
            namespace ApexShop.Queries.Api.Orders.A { class One { object? next = new B.Two(); } }
            namespace ApexShop.Queries.Api.Orders.B { class Two { object? next = new C.Three(); } }
            namespace ApexShop.Queries.Api.Orders.C { class Three { A.One? next = null; } }
            """);
        FloorRules.Circles(Sample, planted.GetTypes()).ShouldBe([
            "Caching and Caching/Deep use each other",
            "Orders/A and Orders/B and Orders/C use each other",
        ]);
    }

    [Fact]
    public void A_planted_use_that_goes_up_is_found()
    {
        var planted = Planted.Compile("""
            using System;
            namespace ApexShop.Queries.Api.Hosting { class Start { void Go() => new Caching.Cache(); } }
            namespace ApexShop.Queries.Api.Products { class Left { object? right = new Orders.Right(); } }
            namespace ApexShop.Queries.Api.Orders { class Right { Products.Left? left = null; } }
            namespace ApexShop.Queries.Api.Reading { class Reader { object? cache = new Caching.Deep.Store<int>(); } }
            namespace ApexShop.Queries.Api.Requests { class Parser { Reading.Reader? reader = null; } }
            namespace ApexShop.Queries.Api.Caching
            {
                class Cache { Func<object> late = () => typeof(Hosting.Start); object? low = new Requests.Parser(); }
            }
            namespace ApexShop.Queries.Api.Caching.Deep { class Store<T> { object? cache = new Cache(); } }
            namespace ApexShop.Queries.Api { class Program { object? start = new Hosting.Start(); } }
            """);

        FloorRules.Types(Sample, planted.GetTypes().Where(type => !type.IsNested)).ShouldBe([
            "Caching/Cache uses Hosting/Start",
            "Reading/Reader uses Caching/Deep/Store",
            "Requests/Parser uses Reading/Reader",
        ]);
    }

    [Fact]
    public void A_planted_use_of_the_project_root_is_found()
    {
        var planted = Planted.Compile("""
            namespace ApexShop.Queries.Api { class Root { } }
            namespace ApexShop.Queries.Api.Caching { class Cache { object? root = new Root(); } }
            """);
        FloorRules.Types(Sample, planted.GetTypes()).ShouldBe(["Caching/Cache uses Root"]);
    }

    [Theory]
    [InlineData("using ApexShop.Queries.Api.Hosting;", true)]
    [InlineData("using static ApexShop.Queries.Api.Hosting.Start;", true)]
    [InlineData("class A { string name = ApexShop.Queries.Api.Hosting.Start.Name; }", true)]
    [InlineData("class A { string name = Hosting.Start.Name; }", true)]
    [InlineData("using ApexShop.Queries.Api.Requests;", false)]
    [InlineData("using ApexShop.Queries.Api.Caching.Deep;", false)]
    public void A_planted_name_of_a_floor_above_is_found(string text, bool found) =>
        FloorRules.Names(Sample, [new SourceFile("src/Queries.Api/Caching/A.cs", text)])
            .ShouldBe(found ? ["Caching/A.cs names Hosting"] : []);

    [Fact]
    public void An_exception_allows_one_type_and_no_other()
    {
        var planted = Planted.Compile("""
            namespace ApexShop.Queries.Api.Products { class Product { } }
            namespace ApexShop.Queries.Api.Requests
            {
                class Context { Products.Product? row = null; }
                class Other { Products.Product? row = null; }
            }
            """);
        FloorRules.Types(Sample, planted.GetTypes()).ShouldBe(["Requests/Other uses Products/Product"]);
    }

    [Fact]
    public void A_missing_folder_and_a_missing_floor_are_found() =>
        FloorRules.Folders(Sample, ["Hosting", "Products", "Orders", "Caching", "Requests", "Extra"])
            .ShouldBe(["no floor of Queries.Api names Extra", "Queries.Api has no folder Reading"]);

    private static Floors Sample => FloorTable.Parse("""
        floors Queries.Api:
          Hosting
          together Products Orders
          Caching
          Reading Requests
          except Requests/Context: Products
        """.Split('\n')).Single();
}
