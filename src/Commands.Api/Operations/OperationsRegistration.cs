using ApexShop.Commands.Api.Operations.Actions;
using ApexShop.Commands.Api.Operations.Admin;
using ApexShop.Commands.Api.Operations.Checksums;
using ApexShop.Commands.Api.Operations.Seeding;
using ApexShop.Hosting;

namespace ApexShop.Commands.Api.Operations;

internal static class OperationsRegistration
{
    public static void AddOperations(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<ProjectorOptions, ProjectorOptionsValidator>()
            .BindConfiguration(ProjectorOptions.Section);
        services.AddOptionsWithValidateOnStart<OperatorActionOptions, OperatorActionOptionsValidator>()
            .BindConfiguration(OperatorActionOptions.Section);
        services.AddSingleton<OperatorActions>();
        services.AddHttpClient(nameof(ProjectorClient), http => http.Timeout = Timeout.InfiniteTimeSpan)
            .AddPeerConnections()
            .UseSocketsHttpHandler((connections, _) => connections.ConnectTimeout = ProjectorClient.ConnectLimit);
        services.AddSingleton<ProjectorClient>();
        services.AddSingleton<StateChecksums>();
        services.AddSingleton<ChecksumLimit>();
        services.AddSingleton<ShopSeeder>();
        services.AddSingleton<AdminPage>();
    }
}
