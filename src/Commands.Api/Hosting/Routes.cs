using ApexShop.Commands.Api.Admin;
using ApexShop.Commands.Api.Auditing;
using ApexShop.Commands.Api.Categories;
using ApexShop.Commands.Api.Console;
using ApexShop.Commands.Api.Events;
using ApexShop.Commands.Api.Events.AsyncApi;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.OpenApi;
using ApexShop.Commands.Api.Orders;
using ApexShop.Commands.Api.Parking;
using ApexShop.Commands.Api.Products;
using ApexShop.Commands.Api.Rebuilding;
using ApexShop.Commands.Api.Reviews;
using ApexShop.Commands.Api.Users;
using ApexShop.Hosting;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>Everything that can be asked of this process, a line for each resource.</summary>
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
        shop.MapAuditing();
        shop.MapAdmin();
        shop.MapParking();
        shop.MapRebuilding();
        shop.MapConsole();
        shop.MapLimits();
        shop.MapProbes();
        GetMetrics.Map(shop);
        shop.MapDocs();
        shop.MapAsyncApi();
        app.CheckAccess();
    }
}
