using System.Net;

namespace ApexShop.Prove.Clients;

/// <summary>
/// A request outside of the history, repeated while the shop is unavailable; no check sees its refusals.
/// </summary>
internal static class RepeatedRequest
{
    private const int Attempts = 10;

    private static readonly TimeSpan pause = TimeSpan.FromSeconds(1);

    /// <summary>The content of the response.</summary>
    /// <exception cref="InvalidOperationException">The shop refuses the request.</exception>
    public static async Task<string> SendAsync(HttpClient client, Func<HttpRequestMessage> make, CancellationToken ct)
    {
        // A connection to a database that was replaced is found by the first request that uses it, which is then 503.
        // So is an audit while another one runs.
        for (var attempt = 1; ; attempt++)
        {
            using var request = make();
            using var response = await client.SendAsync(request, ct);
            var text = await response.Content.ReadAsStringAsync(ct);
            if (response.IsSuccessStatusCode) return text;
            if (response.StatusCode != HttpStatusCode.ServiceUnavailable || attempt == Attempts)
                throw new InvalidOperationException($"{request.RequestUri}: {(int)response.StatusCode} {text}");
            await Task.Delay(pause, ct);
        }
    }
}
