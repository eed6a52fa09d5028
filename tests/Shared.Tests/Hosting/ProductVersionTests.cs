using System.Text.RegularExpressions;
using ApexShop.Hosting;
using ApexShop.OpenApi;

namespace ApexShop.Shared.Tests.Hosting;

public sealed partial class ProductVersionTests
{
    [Fact]
    public void The_first_version_in_the_list_of_changes_is_that_of_the_product()
    {
        var changes = File.ReadAllText(Path.Combine(TestKit.Repository.Root, "CHANGELOG.md"));
        Heading().Match(changes).Groups[1].Value.ShouldBe(ProductVersion.Number);
    }

    [Fact]
    public void The_documents_about_the_apis_have_the_same_version() =>
        ((string?)SharedComponents.Read("key", "tag", [])["info"]!["version"]).ShouldBe(ProductVersion.Number);

    [GeneratedRegex("(?<=^## )([0-9.]+)", RegexOptions.Multiline)]
    private static partial Regex Heading();
}
