using ApexShop.Projector.Admin;
using ApexShop.Projector.Hosting;
using ApexShop.Projector.ReadModels;
using ApexShop.Telemetry.Prometheus;

var builder = WebApplication.CreateBuilder(args);
if (args is ["migrate"])
{
    await ReadSchema.MigrateAsync(builder.ReadConnectionString(), CancellationToken.None);
    return;
}

builder.AddProjector();

var app = builder.Build();
app.UseProjectorPipeline();
app.MapHealth();
app.MapMetrics();
app.MapAdmin();
await app.RunAsync();
