using System.Reflection;
using System.Xml.Linq;
using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests;

public sealed class ReferenceTests
{
    public static TheoryData<string> Projects => [.. ReferenceTable.Projects.Keys];

    [Fact]
    public void The_table_names_every_project_under_src() =>
        Directory.GetDirectories(Path.Combine(Repository.Root, "src")).Select(folder => Path.GetFileName(folder)).Order()
            .ShouldBe(ReferenceTable.Projects.Keys.Order());

    [Theory]
    [MemberData(nameof(Projects))]
    public void A_project_file_references_only_what_the_table_allows(string project)
    {
        var file = XElement.Load(Path.Combine(Repository.Root, "src", project, $"{project}.csproj"));
        file.Descendants("ItemGroup").ShouldNotBeEmpty();
        ReferenceRules.ProjectFile(ReferenceTable.Projects[project], file).ShouldBeEmpty();
    }

    [Theory]
    [MemberData(nameof(Projects))]
    public void A_built_assembly_references_only_what_the_table_allows(string project)
    {
        var references = ReferenceRules.ReferencesOf(Load(project)).ToList();
        references.ShouldNotBeEmpty();
        ReferenceRules.BuiltReferences(ReferenceTable.Projects[project], references).ShouldBeEmpty();
    }

    [Theory]
    [MemberData(nameof(Projects))]
    public void A_package_is_used_in_its_room_only(string project)
    {
        var types = TypeUses.Written(Load(project)).ToList();
        types.ShouldNotBeEmpty();
        ReferenceRules.Rooms(ReferenceTable.Projects[project], types).ShouldBeEmpty();
    }

    [Theory]
    [InlineData("Commands.Api", "Outbox", "MassTransit")]
    [InlineData("Projector", "Messaging", "MassTransit")]
    [InlineData("Projector", "Caching", "StackExchange.Redis")]
    [InlineData("Shared", "Telemetry", "OpenTelemetry")]
    public void The_room_of_a_package_does_use_it(string project, string room, string package) =>
        TypeUses.Written(Load(project))
            .Where(type => AllowedUses.Starts(type.Namespace!, $"{Allowed(project).Namespace}.{room}"))
            .SelectMany(TypeUses.Of)
            .ShouldContain(used => AllowedUses.Starts(used.Assembly.GetName().Name!, package));

    [Theory]
    [MemberData(nameof(Projects))]
    public void What_a_project_may_not_name_it_neither_uses_nor_names(string project)
    {
        var allowed = ReferenceTable.Projects[project];
        var types = TypeUses.Written(Load(project)).ToList();
        var files = Sources.Of(project).ToList();
        types.ShouldNotBeEmpty();
        files.ShouldNotBeEmpty();
        ReferenceRules.NeverUsed(allowed, types).ShouldBeEmpty();
        ReferenceRules.NeverNamed(allowed, files).ShouldBeEmpty();
    }

    [Fact]
    public void A_planted_reference_is_found_in_a_project_file() =>
        ReferenceRules.ProjectFile(Allowed("Queries.Api"), XElement.Parse("""
            <Project><ItemGroup>
              <ProjectReference Include="../Projector/Projector.csproj" /><PackageReference Include="MediatR" />
              <ProjectReference Include="../Shared/Shared.csproj" /><PackageReference Include="Npgsql" />
            </ItemGroup></Project>
            """)).ShouldBe(["Queries.Api references project Projector", "Queries.Api references package MediatR"]);

    [Fact]
    public void A_planted_reference_is_found_in_an_assembly() =>
        ReferenceRules.BuiltReferences(
                Allowed("Queries.Api"),
                ["System.Linq", "Npgsql", "ApexShop.Shared", "ApexShop.Projector", "MassTransit.Abstractions"])
            .ShouldBe(["Queries.Api uses ApexShop.Projector", "Queries.Api uses MassTransit.Abstractions"]);

    [Fact]
    public void A_planted_use_outside_its_room_is_found()
    {
        var planted = Planted.Compile("""
            using System;
            using MassTransit;
            namespace ApexShop.Commands.Api.Outbox { class Inside { void Go() { Func<object> late = () => typeof(IBus); } } }
            namespace ApexShop.Commands.Api.Products { class Outside { void Go() { Func<object> late = () => typeof(IBus); } } }
            """);
        ReferenceRules.Rooms(Allowed("Commands.Api"), planted.GetTypes().Where(type => !type.IsNested))
            .ShouldBe(["ApexShop.Commands.Api.Products.Outside uses MassTransit.IBus, which belongs in Outbox"]);
    }

    [Fact]
    public void A_planted_use_of_a_forbidden_namespace_is_found()
    {
        var planted = Planted.Compile("namespace ApexShop.Queries.Api { class Wrong { ApexShop.Events.LogEntry? entry = null; } }");
        ReferenceRules.NeverUsed(Allowed("Queries.Api"), planted.GetTypes().Where(type => type.Name == "Wrong"))
            .ShouldBe(["ApexShop.Queries.Api.Wrong uses ApexShop.Events.LogEntry"]);
        Named("using ApexShop.Events;\nusing ApexShop.ReadModels;").ShouldBe(["Wrong.cs:1 names ApexShop.Events"]);
        Named("var word = Resource.Orders.Name;").ShouldNotBeEmpty();

        static IEnumerable<string> Named(string text) =>
            ReferenceRules.NeverNamed(Allowed("Queries.Api"), [new SourceFile("Wrong.cs", text)]);
    }

    private static AllowedUses Allowed(string project) => ReferenceTable.Projects[project];

    private static Assembly Load(string project) => Assembly.Load($"ApexShop.{project}");
}
