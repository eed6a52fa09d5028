using System.Diagnostics.Metrics;
using ApexShop.TestKit;
using ApexShop.TestKit.Metrics;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.Persistence;

public sealed class IdGaugesTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task The_used_share_of_the_ids_of_each_resource_is_shown()
    {
        await app.ScalarAsync<object>("SELECT setval('shop.product_ids', 1610612735)");
        await using var process = CommandsApp.Start(app.Database.Commands, ("Telemetry:SampleSeconds", "0.1"));
        process.StartServer();
        using var metered = new MeterReader(process.Services.GetRequiredService<IMeterFactory>());

        await Eventually.Holds(
            () => metered.Read().Value("apexshop_ids_used_ratio", "resource", "products") is > 0.74 and < 0.76,
            "the gauge shows three quarters");
    }
}
