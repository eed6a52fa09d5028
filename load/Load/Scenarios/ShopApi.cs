using System.Net;
using System.Net.Http.Headers;
using ApexShop.Hosting;

namespace ApexShop.Load.Scenarios;

/// <summary>
/// The two APIs over as many kept-alive connections as the load needs; every request has the
/// key.
/// </summary>
internal sealed class ShopApi(Shop shop) : IDisposable
{
    private const int MostTurns = 5;

    private readonly HttpClient commands = Client(shop.Commands, shop.Key);
    private readonly HttpClient queries = Client(shop.Queries, shop.Key);

    /// <summary>Longer than the shop's limit for any short request.</summary>
    public static TimeSpan Timeout { get; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// A query. With the token of a command's response it sees that change; a shop that is behind sends Retry-After,
    /// and the wait is part of the step.
    /// </summary>
    public async Task<Reply> GetAsync(string path, CancellationToken ct, string? token = null)
    {
        for (var turn = 1; ; turn++)
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, path);
            if (token is not null) request.Headers.Add("Consistency-Token", token);
            using var response = await queries.SendAsync(request, ct);
            if (token is null
                || turn == MostTurns
                || response is not
                {
                    StatusCode: HttpStatusCode.ServiceUnavailable, Headers.RetryAfter.Delta: { } wait,
                })
                return await Reply.OfAsync(response, ct);
            await Task.Delay(wait, ct);
        }
    }

    public Task<Reply> PostAsync(string path, object body, CancellationToken ct) =>
        SendAsync(HttpMethod.Post, path, body, ct);

    public Task<Reply> PutAsync(string path, object body, CancellationToken ct) =>
        SendAsync(HttpMethod.Put, path, body, ct);

    public Task<Reply> DeleteAsync(string path, object? body, CancellationToken ct) =>
        SendAsync(HttpMethod.Delete, path, body, ct);

    /// <summary>The headers of a stream; the caller reads and disposes it.</summary>
    public async Task<HttpResponseMessage> StreamAsync(string path, string format, CancellationToken ct)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue(format));
        return await queries.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, ct);
    }

    public void Dispose()
    {
        commands.Dispose();
        queries.Dispose();
    }

    private async Task<Reply> SendAsync(HttpMethod method, string path, object? body, CancellationToken ct)
    {
        using var request = new HttpRequestMessage(method, path);
        if (body is not null) request.Content = Reply.Content(body);
        using var response = await commands.SendAsync(request, ct);
        return await Reply.OfAsync(response, ct);
    }

    private static HttpClient Client(Uri address, string key)
    {
        var handler = new SocketsHttpHandler { UseProxy = false, UseCookies = false };
        var client = new HttpClient(new ConnectionResetHandler { InnerHandler = handler })
        {
            BaseAddress = address, Timeout = Timeout,
        };
        client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);
        return client;
    }
}
