using ApexShop.Access;
using ApexShop.Queries.Api.Endpoints;
using ApexShop.Queries.Api.Hosting;
using ApexShop.Queries.Api.Limits;
using ApexShop.Queries.Api.OpenApi;
using ApexShop.Queries.Api.Storefront;

var builder = WebApplication.CreateSlimBuilder(args);
builder.AddHost();
builder.AddLimits();
builder.AddReading();
builder.AddCaching();
builder.AddConsistency();
builder.AddStreaming();
builder.Services.AddApiKeys(builder.Configuration);
builder.AddDevelopmentKey();

var app = builder.Build();
app.UseQueryPipeline();
app.MapHealth();
app.MapLimits();
app.MapDocs();
app.MapResources();
app.MapStorefront();
app.Run();
