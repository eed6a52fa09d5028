using ApexShop.Commands.Api.Commands;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Admin;

/// <summary>
/// Hands requests about the documents on to a Projector, which alone may touch the read schema: same method, path,
/// query, body and key, and the answer as it comes, however long it runs.
/// </summary>
internal sealed class ProjectorGateway(IHttpClientFactory clients, IOptions<ProjectorOptions> options)
{
    private static readonly Problem unavailable = new(
        StatusCodes.Status503ServiceUnavailable, "projector.unavailable", "No Projector answers; documents cannot be looked after now.");

    public async Task ForwardAsync(HttpContext http)
    {
        var ct = http.RequestAborted;
        // Read first: it may have to be sent to a second one.
        using var body = new MemoryStream();
        await http.Request.Body.CopyToAsync(body, ct);
        foreach (var url in options.Value.Urls)
        {
            using var request = Request(http.Request, url, body.ToArray());
            HttpResponseMessage answer;
            try
            {
                answer = await clients.CreateClient(nameof(ProjectorGateway))
                    .SendAsync(request, HttpCompletionOption.ResponseHeadersRead, ct);
            }
            // Only what never reached a Projector may be asked of another one.
            catch (HttpRequestException exception) when (exception.HttpRequestError == HttpRequestError.ConnectionError)
            {
                continue;
            }

            using (answer) await CopyAsync(answer, http.Response, ct);
            return;
        }

        await Answers.ToHttp(unavailable).ExecuteAsync(http);
    }

    private static HttpRequestMessage Request(HttpRequest from, Uri url, byte[] body)
    {
        var request = new HttpRequestMessage(new HttpMethod(from.Method), new Uri(url, from.Path.ToUriComponent() + from.QueryString));
        request.Headers.TryAddWithoutValidation("Authorization", from.Headers.Authorization.ToString());
        if (body.Length == 0) return request;
        request.Content = new ByteArrayContent(body);
        request.Content.Headers.TryAddWithoutValidation("Content-Type", from.ContentType);
        return request;
    }

    private static async Task CopyAsync(HttpResponseMessage answer, HttpResponse response, CancellationToken ct)
    {
        response.StatusCode = (int)answer.StatusCode;
        response.ContentType = answer.Content.Headers.ContentType?.ToString();
        if (answer.Headers.RetryAfter is { } retryAfter) response.Headers.RetryAfter = retryAfter.ToString();
        await response.StartAsync(ct);
        await using var body = await answer.Content.ReadAsStreamAsync(ct);
        var buffer = new byte[16 * 1024];
        // Sent as it comes: progress is of no use when it is over.
        while (await body.ReadAsync(buffer, ct) is var read and > 0)
        {
            await response.Body.WriteAsync(buffer.AsMemory(0, read), ct);
            await response.Body.FlushAsync(ct);
        }
    }
}
