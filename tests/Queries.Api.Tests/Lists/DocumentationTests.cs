using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Tests.Lists;

/// <summary>docs/queries.md lists exactly the filters and sorts of the code.</summary>
public sealed class DocumentationTests
{
    private static readonly Dictionary<ValueKind, string> kinds = new()
    {
        [ValueKind.Id] = "id", [ValueKind.Amount] = "amount", [ValueKind.Flag] = "flag", [ValueKind.Stars] = "stars",
        [ValueKind.Time] = "time", [ValueKind.SearchText] =
            "search", [ValueKind.EmailAddress] = "address", [ValueKind.OrderStatus] = "status",
    };

    private static readonly string[][] rows =
    [
        .. File.ReadLines(Path.Combine(TestKit.Repository.Root, "docs", "queries.md"))
            .Where(
                line => ReadModel.All.Any(
                    resource => line.StartsWith($"| {resource.Name} |", StringComparison.Ordinal)))
            .Select(line => line.Trim('|', ' ').Split('|', StringSplitOptions.TrimEntries)),
    ];

    [Fact]
    public void Every_filter_is_in_the_table_with_its_type_of_value() =>
        rows.Where(row => row.Length == 4).Select(row => string.Join(' ', row[..3])).ShouldBe(
            ReadModel.All.SelectMany(
                resource => resource.Filters.Select(filter => $"{resource.Name} {filter.Name} {kinds[filter.Kind]}")));

    [Fact]
    public void Every_sort_is_in_the_table() =>
        rows.Where(row => row.Length == 2).Select(row => string.Join(' ', row))
            .ShouldBe(ReadModel.All.Select(resource => $"{resource.Name} "
                + string.Join(", ", resource.Sorts.Where(sort => sort.IsPublic).Select(sort => sort.Name))));
}
