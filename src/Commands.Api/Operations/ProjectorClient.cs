using System.Net;
using ApexShop.Commands.Api.Commands;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Operations;

/// <summary>Forwards requests to a Projector as they are, and streams its responses back.</summary>
internal sealed class ProjectorClient(IHttpClientFactory clients, IOptions<ProjectorOptions> options)
{
    private static readonly Problem unavailable = new(
        StatusCodes.Status503ServiceUnavailable, "projector.unavailable",
        "No Projector is available; try again later.");

    /// <param name="http">The request.</param>
    /// <param name="location">The Location of a response with 202.</param>
    public async Task ForwardAsync(HttpContext http, string? location)
    {
        var ct = http.RequestAborted;
        // Buffered, because it may have to be sent to a second Projector.
        using var body = new MemoryStream();
        await http.Request.Body.CopyToAsync(body, ct);
        foreach (var url in options.Value.Urls)
        {
            using var request = Request(http.Request, url, body.ToArray());
            HttpResponseMessage response;
            try
            {
                response = await clients.CreateClient(nameof(ProjectorClient))
                    .SendAsync(request, HttpCompletionOption.ResponseHeadersRead, ct);
            }
            // Only a request that reached no Projector may be sent to another one.
            catch (HttpRequestException exception) when (exception.HttpRequestError == HttpRequestError.ConnectionError)
            {
                continue;
            }

            if (response.StatusCode == HttpStatusCode.Accepted) http.Response.Headers.Location = location;
            using (response) await CopyAsync(response, http.Response, ct);
            return;
        }

        await Answers.ToHttp(unavailable).ExecuteAsync(http);
    }

    private static HttpRequestMessage Request(HttpRequest from, Uri url, byte[] body)
    {
        var request = new HttpRequestMessage(
            new HttpMethod(from.Method), new Uri(url, from.Path.ToUriComponent() + from.QueryString));
        request.Headers.TryAddWithoutValidation("Authorization", from.Headers.Authorization.ToString());
        if (body.Length == 0) return request;
        request.Content = new ByteArrayContent(body);
        request.Content.Headers.TryAddWithoutValidation("Content-Type", from.ContentType);
        return request;
    }

    private static async Task CopyAsync(HttpResponseMessage from, HttpResponse response, CancellationToken ct)
    {
        response.StatusCode = (int)from.StatusCode;
        response.ContentType = from.Content.Headers.ContentType?.ToString();
        if (from.Headers.RetryAfter is { } retryAfter) response.Headers.RetryAfter = retryAfter.ToString();
        await response.StartAsync(ct);
        await using var body = await from.Content.ReadAsStreamAsync(ct);
        var buffer = new byte[16 * 1024];
        // Flushed after each read, so that progress lines arrive while the operation runs.
        while (await body.ReadAsync(buffer, ct) is var read and > 0)
        {
            await response.Body.WriteAsync(buffer.AsMemory(0, read), ct);
            await response.Body.FlushAsync(ct);
        }
    }
}
