using System.Net;
using ApexShop.Commands.Api.Commands;
using ApexShop.Hosting;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Operations;

/// <summary>Forwards requests to a Projector as they are, and streams its responses back.</summary>
internal sealed class ProjectorClient(
    IHttpClientFactory clients, IOptions<ProjectorOptions> options, ILogger<ProjectorClient> logger)
{
    private static readonly Problem unavailable = Unavailable("No Projector is available; try again later.");

    private static readonly Problem ended = Unavailable(
        "The Projector ended before it responded, and may have begun what was requested; look, and try again later.");

    /// <summary>A Projector whose packets are lost must not take the time of a change from the next one.</summary>
    public static TimeSpan ConnectLimit { get; } = TimeSpan.FromSeconds(2);

    /// <param name="http">The request.</param>
    /// <param name="location">The Location of a response with 202.</param>
    public async Task ForwardAsync(HttpContext http, string? location)
    {
        var ct = http.RequestAborted;
        // Buffered, because it may have to be sent to a second Projector.
        using var body = new MemoryStream();
        await http.Request.Body.CopyToAsync(body, ct);
        var urls = options.Value.Urls;
        foreach (var url in urls)
        {
            try
            {
                using var response = await SendInTimeAsync(http.Request, url, body.ToArray(), ct);
                if (PeerConnections.IsUnavailable(response.StatusCode) && IsRead(http.Request) && url != urls[^1])
                    continue;
                if (response.StatusCode == HttpStatusCode.Accepted) http.Response.Headers.Location = location;
                await CopyAsync(response, http, ct);
                return;
            }
            catch (HttpRequestException exception) when (!http.Response.HasStarted)
            {
                // Only a request that reached no Projector, or changes nothing, may be sent to another one.
                if (ReachedNone(exception) || IsRead(http.Request)) continue;
                await CommandResponses.ToHttp(ended).ExecuteAsync(http);
                return;
            }
        }

        await CommandResponses.ToHttp(unavailable).ExecuteAsync(http);
    }

    private static Problem Unavailable(string detail) =>
        new(StatusCodes.Status503ServiceUnavailable, "projector.unavailable", detail);

    // A change has the time of the whole request: it may have begun.
    private async Task<HttpResponseMessage> SendInTimeAsync(
        HttpRequest from, Uri url, byte[] body, CancellationToken ct)
    {
        using var time = CancellationTokenSource.CreateLinkedTokenSource(ct);
        if (IsRead(from)) time.CancelAfter(TimeSpan.FromSeconds(options.Value.ReadSeconds));
        try
        {
            return await SendAsync(from, url, body, time.Token);
        }
        catch (OperationCanceledException hung) when (!ct.IsCancellationRequested)
        {
            // Only the limit of a connection has an inner exception.
            var error = hung.InnerException is TimeoutException
                ? HttpRequestError.ConnectionError
                : HttpRequestError.Unknown;
            throw new HttpRequestException(error, $"{url} did not respond in time.", hung);
        }
    }

    private static bool ReachedNone(HttpRequestException exception) =>
        exception.HttpRequestError is HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError;

    private static bool IsRead(HttpRequest request) => HttpMethods.IsGet(request.Method);

    private async Task<HttpResponseMessage> SendAsync(HttpRequest from, Uri url, byte[] body, CancellationToken ct)
    {
        using var request = new HttpRequestMessage(
            new HttpMethod(from.Method), new Uri(url, from.Path.ToUriComponent() + from.QueryString));
        request.Headers.TryAddWithoutValidation("Authorization", from.Headers.Authorization.ToString());
        if (body.Length > 0)
        {
            request.Content = new ByteArrayContent(body);
            request.Content.Headers.TryAddWithoutValidation("Content-Type", from.ContentType);
        }

        return await clients.CreateClient(nameof(ProjectorClient))
            .SendAsync(request, HttpCompletionOption.ResponseHeadersRead, ct);
    }

    private async Task CopyAsync(HttpResponseMessage from, HttpContext http, CancellationToken ct)
    {
        var response = http.Response;
        response.StatusCode = (int)from.StatusCode;
        response.ContentType = from.Content.Headers.ContentType?.ToString();
        if (from.Headers.RetryAfter is { } retryAfter) response.Headers.RetryAfter = retryAfter.ToString();
        if (from.Headers.WwwAuthenticate is { Count: > 0 } schemes)
            response.Headers.WWWAuthenticate = schemes.ToString();
        await response.StartAsync(ct);
        await using var body = await from.Content.ReadAsStreamAsync(ct);
        var buffer = new byte[16 * 1024];
        // Flushed after each read, so that progress lines arrive while the operation runs.
        while (await ReadAsync(body, buffer, http, ct) is var read and > 0)
        {
            await response.Body.WriteAsync(buffer.AsMemory(0, read), ct);
            await response.Body.FlushAsync(ct);
        }
    }

    // A Projector that ends in the middle: the status is sent already, so the client sees that the response breaks off.
    private async Task<int> ReadAsync(Stream body, byte[] buffer, HttpContext http, CancellationToken ct)
    {
        try
        {
            return await body.ReadAsync(buffer, ct);
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException)
        {
            logger.ProjectorEnded(http.Request.Path, exception.Message);
            http.Abort();
            return 0;
        }
    }
}
