using ApexShop.TestKit.HttpFiles;
using ApexShop.TestKit.OpenApi;

namespace ApexShop.Queries.Api.Tests.OpenApi;

public sealed class HttpFileTests(DescribedShop shop) : IClassFixture<DescribedShop>
{
    [Fact]
    public async Task The_files_run_from_top_to_bottom()
    {
        DescribedShop.Files.Count.ShouldBeGreaterThan(5);
        using var http = shop.App.CreateClient();
        var run = new HttpFileRunner(http, ReadShop.Key);
        foreach (var file in DescribedShop.Files) await run.RunAsync(file);
    }

    [Fact]
    public async Task Every_path_has_a_request_that_succeeds()
    {
        var requested = DescribedShop.Files.SelectMany(file => file.Requests).Where(request => request.Status is null)
            .ToList();
        var paths = (await ApiDescription.ReadAsync(shop.Http)).Operations.Where(operation => operation.Method == "GET")
            .ToList();

        paths.Count.ShouldBeGreaterThan(30);
        paths.Where(path => !DescribedShop.IsPlain(path.Path)).Where(
            path => !requested.Any(request => request.Method == "GET" && HttpFile.Reaches(path.Path, request.Url)))
            .Select(path => path.ToString()).ShouldBeEmpty();
    }

    [Fact]
    public void A_file_has_the_address_of_the_API() =>
        DescribedShop.Files.ShouldAllBe(file => file.Variables["host"] == "http://localhost:5200");
}
