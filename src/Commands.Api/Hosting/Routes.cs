using ApexShop.Commands.Api.Categories;
using ApexShop.Commands.Api.Events;
using ApexShop.Commands.Api.Events.AsyncApi;
using ApexShop.Commands.Api.OpenApi;
using ApexShop.Commands.Api.Operations;
using ApexShop.Commands.Api.Operations.Admin;
using ApexShop.Commands.Api.Operations.Checksums;
using ApexShop.Commands.Api.Operations.Console;
using ApexShop.Commands.Api.Operations.Seeding;
using ApexShop.Commands.Api.Orders;
using ApexShop.Commands.Api.Products;
using ApexShop.Commands.Api.Reviews;
using ApexShop.Commands.Api.Users;
using ApexShop.Commands.Api.Webhooks;
using ApexShop.Hosting;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>All endpoints of this process.</summary>
internal static class Routes
{
    public static void MapEndpoints(this IEndpointRouteBuilder app)
    {
        var shop = app.MapShop();
        shop.MapProducts();
        shop.MapOrders();
        shop.MapCategories();
        shop.MapReviews();
        shop.MapUsers();
        shop.MapEvents();
        shop.MapChecksums();
        shop.MapSeeding();
        shop.MapProjector();
        shop.MapConsole();
        shop.MapWebhooks();
        GetAdmin.Map(shop);
        GetLimits.Map(shop);
        shop.MapProbes();
        GetMetrics.Map(shop);
        shop.MapDocs();
        shop.MapAsyncApi();
        app.CheckAccess();
    }
}
