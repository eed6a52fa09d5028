using ApexShop.Commands.Api.Admin;
using ApexShop.Commands.Api.Categories;
using ApexShop.Commands.Api.Hosting;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.OpenApi;
using ApexShop.Commands.Api.Orders;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Products;
using ApexShop.Commands.Api.Reviews;
using ApexShop.Commands.Api.Users;

var builder = WebApplication.CreateBuilder(args);

if (args is [ShopMigration.Verb, ..])
{
    await ShopMigration.ApplyAsync(builder.Configuration.GetConnectionString("ShopOwner"), CancellationToken.None);
    return;
}

builder.AddShop();
var app = builder.Build();

app.UseShopPipeline();
var shop = app.MapShop();
shop.MapProducts();
shop.MapOrders();
shop.MapCategories();
shop.MapReviews();
shop.MapUsers();
shop.MapEvents();
shop.MapAdmin();
shop.MapLimits();
shop.MapHealth();
shop.MapDocs();
app.CheckAccess();

await app.RunAsync();
