using System.Buffers;
using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using ApexShop.Events;
using ApexShop.Hosting;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Webhooks.Delivering;

/// <summary>Where events are sent, and the secrets that sign them: the earlier one for a day after a renewal.</summary>
internal sealed record Receiver(int WebhookId, string Url, Guid SecretId, Guid? EarlierSecretId)
{
    /// <summary>The first columns of a statement that reads webhooks, for <see cref="Read"/>.</summary>
    public const string Columns =
        "id, url, secret_id, CASE WHEN earlier_secret_until > clock_timestamp() THEN earlier_secret_id END";

    public static Receiver Read(NpgsqlDataReader row) =>
        new(row.GetInt32(0), row.GetString(1), row.GetGuid(2), row.GetFieldValue<Guid?>(3));
}

/// <summary>
/// Sends one event as a CloudEvent in a POST, signed as the specification Standard Webhooks has it. No redirect is
/// followed, the body of the response is not used, and no log contains an address: it may contain a password.
/// </summary>
internal sealed class WebhookSender : IDisposable
{
    private static readonly MediaTypeHeaderValue contentType = new("application/cloudevents+json", "utf-8");

    private readonly HttpClient http;
    private readonly WebhookSecrets secrets;
    private readonly TimeProvider clock;
    private readonly TimeSpan timeout;

    public WebhookSender(
        ReceiverAddresses addresses, WebhookSecrets secrets, TimeProvider clock, IOptions<WebhookOptions> options)
    {
        (this.secrets, this.clock, timeout) = (secrets, clock, options.Value.Timeout);
        var connections = new SocketsHttpHandler
        {
            AllowAutoRedirect = false,
            UseProxy = false,
            UseCookies = false,
            // No span has the address, and no receiver gets the identity of a request.
            ActivityHeadersPropagator = null,
            ConnectCallback = addresses.ConnectAsync,
            // A host whose name gets another address is reached there soon.
            PooledConnectionLifetime = TimeSpan.FromMinutes(2),
            MaxResponseHeadersLength = 16,
            MaxResponseDrainSize = 4096,
        };
        http = new HttpClient(new ConnectionResetHandler { InnerHandler = connections })
        {
            Timeout = Timeout.InfiniteTimeSpan,
        };
        http.DefaultRequestHeaders.UserAgent.ParseAdd("ApexShop-Webhooks/1");
    }

    public void Dispose() => http.Dispose();

    public async Task<AttemptOutcome> SendAsync(Receiver receiver, LogEntry entry)
    {
        using var limited = new CancellationTokenSource(timeout, clock);
        try
        {
            using var request = Request(receiver, entry);
            using var response = await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, limited.Token);
            return OutcomeOf(response);
        }
        catch (OperationCanceledException)
        {
            var seconds = timeout.TotalSeconds.ToString("0.###", CultureInfo.InvariantCulture);
            return new(AttemptResult.Unavailable, $"No response within {seconds} s.");
        }
        catch (HttpRequestException failure)
        {
            return new(AttemptResult.Unavailable, Reason(failure));
        }
    }

    private HttpRequestMessage Request(Receiver receiver, LogEntry entry)
    {
        var body = new ArrayBufferWriter<byte>(1024);
        CloudEvents.Write(body, entry);
        var time = clock.GetUtcNow().ToUnixTimeSeconds();
        var prefix = FormattableString.Invariant($"{entry.Id}.{time}.");
        byte[] signed = [.. Encoding.ASCII.GetBytes(prefix), .. body.WrittenSpan];
        var signatures = new[] { receiver.SecretId, receiver.EarlierSecretId }.OfType<Guid>()
            .Select(id => "v1," + Convert.ToBase64String(HMACSHA256.HashData(secrets.Of(id), signed)));
        return new HttpRequestMessage(HttpMethod.Post, receiver.Url)
        {
            Content = new ReadOnlyMemoryContent(body.WrittenMemory) { Headers = { ContentType = contentType } },
            Headers =
            {
                { "webhook-id", entry.Id.ToString() },
                { "webhook-timestamp", time.ToString(CultureInfo.InvariantCulture) },
                { "webhook-signature", string.Join(' ', signatures) },
            },
        };
    }

    private AttemptOutcome OutcomeOf(HttpResponseMessage response)
    {
        if (response.IsSuccessStatusCode) return new(AttemptResult.Delivered);
        var isUnavailable = response.StatusCode is HttpStatusCode.TooManyRequests or HttpStatusCode.BadGateway
            or HttpStatusCode.ServiceUnavailable or HttpStatusCode.GatewayTimeout;
        var failure = FormattableString.Invariant($"Response {(int)response.StatusCode}.");
        return isUnavailable
            ? new(AttemptResult.Unavailable, failure, RetryAfter(response.Headers))
            : new(AttemptResult.Refused, failure);
    }

    private TimeSpan RetryAfter(HttpResponseHeaders headers) => headers.RetryAfter switch
    {
        { Delta: { } delta } => delta,
        { Date: { } date } => date - clock.GetUtcNow(),
        // More seconds than the type of the header can have.
        _ when headers.NonValidated.TryGetValues("Retry-After", out var values)
            && values.ToString() is { Length: > 0 } text && text.All(char.IsAsciiDigit) => TimeSpan.MaxValue,
        _ => TimeSpan.Zero,
    };

    private static string Reason(HttpRequestException failure) => failure switch
    {
        { InnerException: AddressNotPermittedException } => "The address of the host is not permitted.",
        { HttpRequestError: HttpRequestError.NameResolutionError } => "The name of the host has no address.",
        { HttpRequestError: HttpRequestError.SecureConnectionError } => "TLS failed; the certificate may be invalid.",
        { HttpRequestError: HttpRequestError.ConnectionError } => "No connection.",
        _ => "No valid HTTP response.",
    };
}
