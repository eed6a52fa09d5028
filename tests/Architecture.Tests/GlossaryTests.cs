using ApexShop.TestKit;

namespace ApexShop.Architecture.Tests;

/// <summary>A type's name ends with a word that is common, or that docs/glossary.md defines.</summary>
public sealed class GlossaryTests
{
    private static readonly string[] emptyNouns =
    [
        "Base", "Common", "Core", "Dto", "Entity", "Helper", "Impl", "Info", "Manager", "Model", "Service", "Thing",
        "Util",
    ];

    [Fact]
    public void There_is_a_glossary()
    {
        File.Exists(Glossary.Page).ShouldBeTrue(Glossary.Page);
        Glossary.Rows().Count.ShouldBeGreaterThan(10);
    }

    [Fact]
    public void Every_type_ends_with_a_known_noun() =>
        GlossaryRules.UnknownNouns(Sources.Programs, Glossary.Rows(), Glossary.FieldTerms).ShouldBeNone();

    [Fact]
    public void Every_term_names_the_file_where_it_lives() =>
        GlossaryRules.WrongPaths(Glossary.Rows(), path => Path.Exists(Path.Combine(Repository.Root, path)))
            .ShouldBeNone();

    [Fact]
    public void The_list_of_the_field_is_sorted_and_has_no_empty_nouns()
    {
        Glossary.FieldTerms.ShouldBe(Glossary.FieldTerms.Distinct().Order(StringComparer.Ordinal));
        Glossary.FieldTerms.Intersect(emptyNouns).ShouldBeEmpty();
    }

    [Theory]
    [InlineData("internal sealed class DocumentGizmo;", "Gizmo: DocumentGizmo in A.cs")]
    [InlineData("public readonly record struct Flight;", "Flight: Flight in A.cs")]
    [InlineData("internal interface IGadget;", "Gadget: IGadget in A.cs")]
    [InlineData("internal delegate void Said();", "Said: Said in A.cs")]
    [InlineData("internal enum OtherOrder { One }", "Order: OtherOrder in A.cs")]
    [InlineData("internal sealed class DeliveryOrder;", null)]
    [InlineData("internal sealed class LocalDeliveryOrders;", null)]
    [InlineData("internal sealed class ResponseCaches { class Gizmo; }", null)]
    [InlineData("internal sealed class EventBatches;", null)]
    [InlineData("internal sealed class LogEntries;", null)]
    [InlineData("internal sealed class TimeSeries;", null)]
    [InlineData("internal static class ListProductsAfter { static void Map() { } }", null)]
    public void A_planted_private_noun_is_found(string text, string? found) =>
        GlossaryRules.UnknownNouns(
            [new SourceFile("A.cs", text)], Planted("`src/A.cs`"), ["Cache", "Batch", "Series", "Entry"])
            .ShouldBe(found is null ? [] : [found]);

    [Theory]
    [InlineData("`src/A.cs`, [page](queries.md#list)", null)]
    [InlineData("somewhere", "DeliveryOrder has no path")]
    [InlineData("`src/B.cs`", "DeliveryOrder names src/B.cs, which does not exist")]
    [InlineData("[page](orders.md)", "DeliveryOrder names docs/orders.md, which does not exist")]
    public void A_planted_path_that_does_not_exist_is_found(string where, string? found) =>
        GlossaryRules.WrongPaths(Planted(where), path => path is "src/A.cs" or "docs/queries.md")
            .ShouldBe(found is null ? [] : [found]);

    private static List<GlossaryRow> Planted(string where) => Glossary.Parse(
    [
        "| term | meaning | where |",
        "|---|---|---|",
        $"| DeliveryOrder, delivery order | The order in which a queue delivers. | {where} |",
    ]);
}
