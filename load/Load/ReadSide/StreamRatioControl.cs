using System.Text.Json;
using System.Text.Json.Serialization;
using ApexShop.Commands.Api.Categories;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Products;
using ApexShop.ReadModels;
using ApexShop.TestKit;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Load.ReadSide;

/// <summary>
/// The control of a stream: the same products, read by EF Core from the relational tables, in an endpoint that does
/// nothing else. It does not read ratings, as the products have none.
/// </summary>
internal sealed class StreamRatioControl : IDisposable
{
    public const string Verb = "stream-control";
    public const string Path = "/products";

    private static readonly TimeSpan startLimit = TimeSpan.FromSeconds(60);

    private readonly ServerProcess process;

    public StreamRatioControl(TestDatabase database) => process = new ServerProcess(
        "control", "dotnet", [typeof(StreamRatioControl).Assembly.Location, Verb], new Dictionary<string, string>
        {
            ["ASPNETCORE_ENVIRONMENT"] = "Production",
            ["ASPNETCORE_URLS"] = Url.ToString(),
            ["Logging__LogLevel__Default"] = "Warning",
            ["ConnectionStrings__Shop"] = database.Commands,
        });

    public Uri Url { get; } = new($"http://127.0.0.1:{Loopback.FreePort()}");

    public static async Task RunAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        var shop = builder.Configuration.GetConnectionString("Shop");
        builder.Services.AddDbContextPool<ShopDbContext>(options => options.UseNpgsql(shop));
        var app = builder.Build();
        app.MapGet(Path, StreamAsync);
        await app.RunAsync();
    }

    public async Task StartAsync()
    {
        process.Start();
        using var http = new HttpClient { BaseAddress = Url };
        await process.ReadyAsync(http, Path, startLimit);
    }

    public void Dispose() => process.Dispose();

    private static async Task StreamAsync(HttpResponse response, ShopDbContext shop, CancellationToken ct)
    {
        var products = shop.Products.AsNoTracking().OrderBy(product => product.Id).Join(
            shop.Categories, product =>
                product.CategoryId, category => category.Id, (product, category) => new ProductView(
                product.Id, product.Name, product.Description, product.Price, product.Stock, product.IsActive,
                product.IsFeatured,
                product.CreatedDate, product.UpdatedDate, new Reference(category.Id, category.Name), new Rating(0, 0),
                product.Version, product.Sku, product.Slug, Array.Empty<ProductImage>(), "USD"));
        response.ContentType = "application/json";
        await JsonSerializer.SerializeAsync(
            response.Body, products.AsAsyncEnumerable(), StreamRatioJson.Default.IAsyncEnumerableProductView, ct);
    }
}

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(IAsyncEnumerable<ProductView>))]
internal sealed partial class StreamRatioJson : JsonSerializerContext;
