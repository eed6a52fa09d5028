using ApexShop.Access;
using ApexShop.Queries.Api.Endpoints;
using ApexShop.Queries.Api.Hosting;
using ApexShop.Queries.Api.OpenApi;
using ApexShop.Queries.Api.Storefront;
using ApexShop.Telemetry;
using ApexShop.Telemetry.Prometheus;

var builder = WebApplication.CreateSlimBuilder(args);
builder.AddHost();
builder.AddTelemetry("apexshop-queries");
builder.AddLimits();
builder.AddReading();
builder.AddCaching();
builder.AddConsistency();
builder.AddStreaming();
builder.Services.AddApiKeys();
builder.Services.AddCustomerTokens();
builder.AddDevelopmentKey();

var app = builder.Build();
app.UseQueryPipeline();
app.MapHealth();
app.MapMetrics();
app.MapLimits();
app.MapDocs();
app.MapResources();
app.MapStorefront();
app.Run();
