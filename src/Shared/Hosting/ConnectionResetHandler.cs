using System.Net.Sockets;

namespace ApexShop.Hosting;

/// <summary>
/// HttpClient does not wrap the <see cref="SocketException"/> of a connection that the server resets immediately; this
/// handler makes an <see cref="HttpRequestException"/> of it. Nothing was sent.
/// </summary>
public sealed class ConnectionResetHandler : DelegatingHandler
{
    protected override async Task<HttpResponseMessage> SendAsync(
        HttpRequestMessage request, CancellationToken cancellationToken)
    {
        try
        {
            return await base.SendAsync(request, cancellationToken);
        }
        catch (SocketException reset)
        {
            throw new HttpRequestException(HttpRequestError.ConnectionError, reset.Message, reset);
        }
    }
}
