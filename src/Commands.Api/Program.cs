using ApexShop.Commands.Api.Hosting;
using ApexShop.Commands.Api.Persistence;

var builder = WebApplication.CreateBuilder(args);

if (args is [ShopMigration.Verb, ..])
{
    await ShopMigration.ApplyAsync(builder.Configuration.GetConnectionString("ShopOwner"), CancellationToken.None);
    return;
}

builder.AddShop();
var app = builder.Build();

app.UseShopPipeline();
app.MapEndpoints();

await app.RunAsync();
