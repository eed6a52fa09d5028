using System.Net.Sockets;

namespace ApexShop.Hosting;

/// <summary>
/// Makes an <see cref="HttpRequestException"/> of the <see cref="SocketException"/> that HttpClient throws as it is
/// when the server resets a new connection before HttpClient has read its address. Nothing was sent.
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
