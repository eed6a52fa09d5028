using ApexShop.Commands.Api.Admin;
using ApexShop.Commands.Api.Categories;
using ApexShop.Commands.Api.Hosting;
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
app.MapProducts();
app.MapOrders();
app.MapCategories();
app.MapReviews();
app.MapUsers();
app.MapEvents();
app.MapAdmin();
app.MapOpenApi();

await app.RunAsync();
