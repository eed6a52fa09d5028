using ApexShop.Hosting;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Shared.Tests.Hosting;

public sealed class PeerConnectionsTests
{
    [Fact]
    public async Task No_proxy_gets_what_one_process_sends_to_another()
    {
        var services = new ServiceCollection();
        services.AddHttpClient("peer").AddPeerConnections();
        await using var provider = services.BuildServiceProvider();

        var handler = provider.GetRequiredService<IHttpMessageHandlerFactory>().CreateHandler("peer");
        while (handler is DelegatingHandler { InnerHandler: { } inner }) handler = inner;

        ((SocketsHttpHandler)handler).UseProxy.ShouldBeFalse();
    }
}
