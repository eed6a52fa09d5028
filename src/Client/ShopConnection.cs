using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Text.Json;
using ApexShop.Client.Requests;

namespace ApexShop.Client;

/// <summary>Sends requests of one caller to both APIs, and keeps the tokens of its last commands.</summary>
internal sealed class ShopConnection(HttpClient http, ShopClientOptions options)
{
    private const string TokenHeader = "Consistency-Token";
    private const string TokenMalformed = "consistency.token_malformed";

    private readonly RetryPolicy retries = new(options.Retries, options.RetryDelay, options.LongestRetryDelay);
    private readonly KeptTokens tokens = new();

    /// <summary>The tokens of the last commands, with commas between them.</summary>
    public string? Tokens
    {
        get => tokens.Text;
        set => tokens.Text = value;
    }

    public ShopConnection With(string? key) => new(http, options with { Key = key }) { Tokens = Tokens };

    /// <summary>Keeps the token of a command and removes the tokens that it includes.</summary>
    public void Keep(string token, params IReadOnlyList<string> included) => tokens.Add(token, included);

    public Task<T> ReadAsync<T>(string path, CancellationToken ct) =>
        SendAsync<T>(new ShopRequest(HttpMethod.Get, path), ct);

    public Task<TResult> WriteAsync<TBody, TResult>(
        HttpMethod method, string path, TBody body, CancellationToken ct,
        ExpectedVersion? ifMatch = null, string? idempotencyKey = null, string contentType = "application/json",
        bool isLong = false) =>
        SendAsync<TResult>(
            new ShopRequest(method, path)
            {
                Body = ShopJson.Bytes(body),
                ContentType = contentType,
                IfMatch = ifMatch?.ETag,
                IdempotencyKey = idempotencyKey,
                IsLong = isLong,
            },
            ct);

    public async Task<T> SendAsync<T>(ShopRequest request, CancellationToken ct)
    {
        using var response = await SendAsync(request, ct);
        await using var body = await response.Content.ReadAsStreamAsync(ct);
        return (await JsonSerializer.DeserializeAsync(body, ShopJson.Of<T>(), ct))!;
    }

    /// <summary>The lines of a response while they arrive; an interrupted or idle one ends with an exception.</summary>
    public async IAsyncEnumerable<T> LinesAsync<T>(
        ShopRequest request, [EnumeratorCancellation] CancellationToken ct)
    {
        var lines = request with { IsStream = true, Accept = "application/x-ndjson" };
        using var response = await SendAsync(lines, ct);
        await using var received = await response.Content.ReadAsStreamAsync(ct);
        await using var body = new LineStream(received, options.StreamIdleTimeout, options.Clock);
        var type = ShopJson.Of<T>();
        await foreach (var line in JsonSerializer.DeserializeAsyncEnumerable(body, type, topLevelValues: true, ct))
            yield return line!;
    }

    /// <summary>The response, also 304, after as many attempts as the policy permits.</summary>
    public async Task<HttpResponseMessage> SendAsync(ShopRequest request, CancellationToken ct)
    {
        var (retry, since) = (0, options.Clock.GetTimestamp());
        while (true)
        {
            var pause = TimeSpan.Zero;
            var sent = request.IsRead ? Tokens : null;
            try
            {
                return await AttemptAsync(request, sent, ct);
            }
            catch (ShopProblemException refused) when (refused.Code == TokenMalformed && sent is not null)
            {
                // Not one of the retries: there are as many such attempts as tokens.
                tokens.RemoveOldest(sent);
            }
            catch (ShopProblemException running) when (PauseWhile(running, request, since) is { } wait)
            {
                pause = wait;
            }
            catch (Exception failed) when (PauseAfter(failed, request, retry) is { } wait)
            {
                pause = wait;
                retry++;
                since = options.Clock.GetTimestamp();
            }

            await Task.Delay(pause, options.Clock, ct);
        }
    }

    // Not one of the retries either: the attempt that is still running ends within its time, whatever its caller got.
    private TimeSpan? PauseWhile(ShopProblemException running, ShopRequest request, long since) =>
        running.Code == RetryPolicy.InProgress && options.Clock.GetElapsedTime(since) < LimitOf(request).Time
            ? PauseAfter(running, request, 0)
            : null;

    private TimeSpan? PauseAfter(Exception failed, ShopRequest request, int retry) => failed switch
    {
        ShopProblemException refused =>
            retries.PauseAfter(request, retry, refused.Status, refused.Code, refused.RetryAfter),
        HttpRequestException or IOException or TimeoutException => retries.PauseAfter(request, retry, failed),
        _ => null,
    };

    // The body is a part of the attempt, unless it is a stream: a response that is cut off is a lost response.
    private async Task<HttpResponseMessage> AttemptAsync(ShopRequest request, string? sent, CancellationToken ct)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(ct);
        var (time, name) = LimitOf(request);
        limit.CancelAfter(time);
        var until = request.IsStream
            ? HttpCompletionOption.ResponseHeadersRead
            : HttpCompletionOption.ResponseContentRead;
        try
        {
            var address = request.IsRead ? options.Queries : options.Commands;
            using var message = request.ToMessage(address, options.Key, sent);
            var response = await http.SendAsync(message, until, limit.Token);
            if (!request.IsSignIn && response.Headers.TryGetValues(TokenHeader, out var token)) Keep(token.First());
            if (response.IsSuccessStatusCode || request.IfNoneMatch is not null && (int)response.StatusCode == 304)
                return response;
            using (response)
                throw await ShopProblemException.ReadAsync(response, options.Clock.GetUtcNow(), limit.Token);
        }
        catch (OperationCanceledException late) when (!ct.IsCancellationRequested)
        {
            throw new TimeoutException($"No response within {time} ({name}).", late);
        }
        catch (SocketException reset)
        {
            // HttpClient does not wrap it when the server resets a new connection immediately; nothing was sent.
            throw new HttpRequestException(HttpRequestError.ConnectionError, reset.Message, reset);
        }
    }

    private (TimeSpan Time, string Name) LimitOf(ShopRequest request) => request.IsLong
        ? (options.LongTimeout, nameof(options.LongTimeout))
        : (options.Timeout, nameof(options.Timeout));
}
