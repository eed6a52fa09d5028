using ApexShop.Events;
using ApexShop.Projector.Projecting;
using ApexShop.Resources;
using ApexShop.TestKit;

namespace ApexShop.Projector.Tests.Projecting;

/// <summary>Events as they were written at any time, which a rebuild meets in the log.</summary>
public sealed class EarlierEventsTests
{
    private static readonly string folder =
        Path.Combine(Repository.Root, "tests", "Shared.Tests", "golden", "events");

    public static TheoryData<string> Files =>
        [.. Directory.EnumerateFiles(folder).Select(file => Path.GetFileName(file))];

    [Theory]
    [MemberData(nameof(Files))]
    public void The_projector_reads_every_event_ever_written(string file)
    {
        var data = File.ReadAllBytes(Path.Combine(folder, file));
        var kind = file.Split('.', '-')[0];
        var id = System.Text.Json.JsonElement.Parse(data).GetProperty("id").GetInt32();
        var entry = new LogEntry(
            1,
            0,
            Guid.Empty,
            $"apexshop.{(kind == "deleted" ? "product.deleted" : kind + ".updated")}",
            Resource.All.SingleOrDefault(resource => resource.Singular == kind, Resource.Products).Name,
            id,
            default,
            null,
            data);

        new Projections("USD")[entry.Resource].ReadState(entry).Id.ShouldBe(id);
    }

    /// <summary>The rows of products that were created without images have an empty list of them.</summary>
    [Fact]
    public void The_state_of_a_product_from_before_its_images_has_an_empty_list()
    {
        var data = File.ReadAllBytes(Path.Combine(folder, "product.before-pages.json"));
        var entry = new LogEntry(
            1, 0, Guid.Empty, EventTypes.ProductUpdated, Resource.Products.Name, 17, default, null, data);
        var products = new Projections("USD")[Resource.Products.Name];

        var state = products.ReadState(entry).ShouldBeOfType<ProductState>();

        state.Images.ShouldNotBeNull().ShouldBeEmpty();
        products.ChecksumOf(state).ShouldBe(products.ChecksumOf(state with { Images = [] }));
    }
}
