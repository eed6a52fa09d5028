using ApexShop.Events;
using ApexShop.Projector.ReadModels;
using ApexShop.Resources;
using ApexShop.TestKit;

namespace ApexShop.Projector.Tests;

/// <summary>Events as they were written at any time, which a rebuild meets in the log.</summary>
public sealed class EarlierEventsTests
{
    private static readonly Dictionary<string, string> resources = new()
    {
        ["product"] = Resource.Products.Name, ["category"] = Resource.Categories.Name, ["order"] = Resource.Orders.Name, ["review"] = Resource.Reviews.Name,
        ["user"] = Resource.Users.Name, ["deleted"] = Resource.Products.Name,
    };

    public static TheoryData<string> Files =>
        [.. Directory.EnumerateFiles(Path.Combine(Repository.Root, "tests", "Shared.Tests", "golden", "events")).Select(file => Path.GetFileName(file))];

    [Theory]
    [MemberData(nameof(Files))]
    public void The_projector_reads_every_event_ever_written(string file)
    {
        var data = File.ReadAllBytes(Path.Combine(Repository.Root, "tests", "Shared.Tests", "golden", "events", file));
        var kind = file.Split('.', '-')[0];
        var id = System.Text.Json.JsonElement.Parse(data).GetProperty("id").GetInt32();
        var entry = new LogEntry(1, 0, Guid.Empty, $"apexshop.{(kind == "deleted" ? "product.deleted" : kind + ".updated")}", resources[kind], id, default, null, data);

        new Projections()[entry.Resource].Read(entry).Id.ShouldBe(id);
    }
}
