using System.Globalization;
using System.Net;
using System.Net.Http.Json;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>
/// A webhook whose receiver follows docs/webhooks.md: it verifies the signature, keeps the last sequence of each
/// subject and ignores what is not after it. It refuses some events when they arrive first.
/// </summary>
internal sealed class WebhookReceiver(ShopAddresses shop, string host, long after, Random random) : IDisposable
{
    private const double Refused = 0.01;

    private static readonly TimeSpan timeout = TimeSpan.FromSeconds(30);

    // The age of a delivery by this machine's clock.
    private static readonly TimeSpan oldest = TimeSpan.FromMinutes(5);

    private readonly HttpListener listener = new() { IgnoreWriteExceptions = true };
    private readonly Dictionary<(string Resource, int Aggregate), long> last = [];
    private readonly HashSet<long> seen = [];
    private readonly List<LogEvent> events = [];
    private Uri webhook = new("/admin/webhooks", UriKind.Relative);
    private byte[] key = [];

    /// <summary>Those of different subjects arrive in any order.</summary>
    public Consumed Consumed => Consumed.Of("a webhook", [.. events.OrderBy(one => one.Position)]);

    public int Count => events.Count;

    /// <summary>Listens, and creates the webhook.</summary>
    public async Task StartAsync(CancellationToken ct)
    {
        var url = string.Create(CultureInfo.InvariantCulture, $"http://{host}:{FreePort()}/");
        listener.Prefixes.Add(url);
        listener.Start();
        using var client = shop.Client(shop.Commands[0], timeout);
        var path = string.Create(CultureInfo.InvariantCulture, $"{webhook}?position={after}");
        var created = JsonElement.Parse(await RepeatedRequest.SendAsync(
            client, () => new(HttpMethod.Post, path) { Content = JsonContent.Create(new { url }) }, ct));
        key = Convert.FromBase64String(created.GetProperty("secret").GetString()!["whsec_".Length..]);
        webhook = new($"{webhook}/{created.GetProperty("id")}", UriKind.Relative);
    }

    /// <summary>Receives until it is stopped, and deletes the webhook.</summary>
    /// <exception cref="InvalidOperationException">A delivery that the shop has not signed.</exception>
    public async Task RunAsync(CancellationToken ct)
    {
        await using (ct.Register(listener.Stop))
        {
            while (await NextAsync(ct) is { } delivery) await ReceiveAsync(delivery);
        }

        using var client = shop.Client(shop.Commands[0], timeout);
        await RepeatedRequest.SendAsync(
            client, () => new HttpRequestMessage(HttpMethod.Delete, webhook), CancellationToken.None);
    }

    public void Dispose() => ((IDisposable)listener).Dispose();

    private async Task<HttpListenerContext?> NextAsync(CancellationToken ct)
    {
        try
        {
            return await listener.GetContextAsync();
        }
        catch (Exception stopped) when (
            ct.IsCancellationRequested && stopped is HttpListenerException or ObjectDisposedException)
        {
            return null;
        }
    }

    private async Task ReceiveAsync(HttpListenerContext delivery)
    {
        using var body = new MemoryStream();
        try
        {
            await delivery.Request.InputStream.CopyToAsync(body);
        }
        catch (Exception cut) when (cut is IOException or HttpListenerException)
        {
            // The process that sent it has ended; the event is sent again.
            delivery.Response.Abort();
            return;
        }

        if (!IsSigned(delivery.Request, body.ToArray()))
            throw new InvalidOperationException("A delivery of the webhook is not signed with its secret.");
        delivery.Response.StatusCode = (int)(Accept(body.ToArray())
            ? HttpStatusCode.NoContent
            : HttpStatusCode.InternalServerError);
        delivery.Response.Close();
    }

    private bool IsSigned(HttpListenerRequest request, byte[] body)
    {
        var head = $"{request.Headers["webhook-id"]}.{request.Headers["webhook-timestamp"]}.";
        byte[] signed = [.. Encoding.UTF8.GetBytes(head), .. body];
        var time = long.Parse(request.Headers["webhook-timestamp"]!, NumberStyles.None, CultureInfo.InvariantCulture);
        var age = TimeProvider.System.GetUtcNow() - DateTimeOffset.FromUnixTimeSeconds(time);
        var expected = $"v1,{Convert.ToBase64String(HMACSHA256.HashData(key, signed))}";
        return age.Duration() < oldest
            && (request.Headers["webhook-signature"] ?? "").Split(' ').Contains(expected);
    }

    private bool Accept(byte[] body)
    {
        var sent = LogEvent.Parse(Encoding.UTF8.GetString(body));
        var subject = (sent.Resource, sent.Aggregate);
        if (seen.Add(sent.Position) && random.NextDouble() < Refused) return false;
        if (sent.Position <= last.GetValueOrDefault(subject)) return true;
        last[subject] = sent.Position;
        events.Add(sent);
        return true;
    }

    private int FreePort()
    {
        using var probe = new TcpListener(IPAddress.Parse(host), 0);
        probe.Start();
        return ((IPEndPoint)probe.LocalEndpoint).Port;
    }
}
