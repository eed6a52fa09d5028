using Microsoft.Extensions.Options;

namespace ApexShop.Projector.EventLog;

/// <summary>Sends a request to the next Commands.Api when one cannot be reached: all serve the same log.</summary>
internal sealed class EventLogFailover(IOptions<EventLogOptions> options) : DelegatingHandler
{
    protected override async Task<HttpResponseMessage> SendAsync(
        HttpRequestMessage request, CancellationToken cancellationToken)
    {
        foreach (var next in options.Value.Fallbacks)
        {
            try
            {
                return await base.SendAsync(request, cancellationToken);
            }
            catch (HttpRequestException exception) when (exception.HttpRequestError == HttpRequestError.ConnectionError)
            {
                request.RequestUri = new Uri(next, request.RequestUri!.PathAndQuery);
            }
        }

        return await base.SendAsync(request, cancellationToken);
    }
}
