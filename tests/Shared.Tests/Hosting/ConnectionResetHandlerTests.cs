using System.Net.Sockets;
using ApexShop.Hosting;
using ApexShop.TestKit;

namespace ApexShop.Shared.Tests.Hosting;

public sealed class ConnectionResetHandlerTests
{
    private static readonly Uri anywhere = new("http://shop.test");

    [Fact]
    public async Task A_connection_that_is_reset_immediately_is_an_error_of_the_connection()
    {
        using var client = new HttpClient(new ConnectionResetHandler { InnerHandler = ResetConnections.Handler() });

        var lost = await Should.ThrowAsync<HttpRequestException>(() => client.GetAsync(anywhere));

        lost.HttpRequestError.ShouldBe(HttpRequestError.ConnectionError);
        lost.InnerException.ShouldBeOfType<SocketException>();
    }

    /// <summary>Without this the handler is not needed any more.</summary>
    [Fact]
    public async Task HttpClient_does_not_wrap_it()
    {
        using var client = new HttpClient(ResetConnections.Handler());

        await Should.ThrowAsync<SocketException>(() => client.GetAsync(anywhere));
    }
}
