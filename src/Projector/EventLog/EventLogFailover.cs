using System.Net;
using ApexShop.Hosting;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.EventLog;

/// <summary>
/// Sends a request to the next Commands.Api when one cannot be reached, hangs or cannot serve it: all serve the same
/// log. Later requests begin with the one that responded.
/// </summary>
internal sealed class EventLogFailover(IOptions<EventLogOptions> options) : DelegatingHandler
{
    private readonly Uri[] addresses = [options.Value.Url, .. options.Value.Fallbacks];

    private volatile int first;

    /// <summary>
    /// The time until the response begins, while another address is left; for the last one it is the time limit of the
    /// request. A heal has five seconds for all addresses.
    /// </summary>
    public TimeSpan Limit { get; init; } = TimeSpan.FromSeconds(3);

    protected override async Task<HttpResponseMessage> SendAsync(
        HttpRequestMessage request, CancellationToken cancellationToken)
    {
        for (var (address, left) = (first, addresses.Length - 1); ; left--)
        {
            using var limited = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            if (left > 0) limited.CancelAfter(Limit);
            request.RequestUri = new Uri(addresses[address], request.RequestUri!.PathAndQuery);
            try
            {
                var response = await base.SendAsync(request, limited.Token);
                if (left > 0 && PeerConnections.IsUnavailable(response.StatusCode))
                {
                    response.Dispose();
                    address = Next(address);
                    continue;
                }

                // One that has an error is not preferred to the address that is configured first.
                first = response.IsSuccessStatusCode || response.StatusCode == HttpStatusCode.Gone ? address : 0;
                return response;
            }
            catch (Exception exception) when (
                left > 0 && IsUnavailable(exception) && !cancellationToken.IsCancellationRequested)
            {
                address = Next(address);
            }
        }
    }

    private int Next(int address) => (address + 1) % addresses.Length;

    private static bool IsUnavailable(Exception exception) =>
        exception is OperationCanceledException
            or HttpRequestException
            {
                HttpRequestError: HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError
                    // Of a proxy without a backend. A GET can be sent again.
                    or HttpRequestError.ResponseEnded,
            };
}
