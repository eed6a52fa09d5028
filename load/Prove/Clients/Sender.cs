using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>One response, read to its end.</summary>
internal sealed record Reply(int Status, string Text, string? Token, bool IsReplayed, string? ETag);

/// <summary>Sends the requests of one client, each with a trace id of its own, and records them.</summary>
internal sealed class Sender : IDisposable
{
    private static readonly TimeSpan timeout = TimeSpan.FromSeconds(10);

    private readonly Dictionary<string, HttpClient> processes = [];
    private readonly Recording recording;
    private readonly int client;
    private int number;

    public Sender(ShopAddresses shop, Recording recording, int client)
    {
        (this.recording, this.client) = (recording, client);
        foreach (var address in shop.Commands.Concat(shop.Queries))
            processes[address.Name] = shop.Client(address, timeout);
    }

    /// <summary>Sends a request to a process; the reply is null without a response.</summary>
    public async Task<(Attempt Attempt, Reply? Reply)> SendAsync(Request request, string process, string? key = null)
    {
        var trace = recording.Trace(client, ++number);
        var started = recording.Now;
        var text = request.Body is null ? "" : JsonSerializer.Serialize(request.Body, JsonSerializerOptions.Web);
        using var message = Message(request, text, trace, key);
        var reply = await TryAsync(processes[process], message);
        var attempt = new Attempt
        {
            Client = client, Number = number, Operation = request.Operation, Process = process, Path = request.Path,
            Trace = trace, Start = started, End = recording.Now, Key = key,
            Sent = text.Length == 0 ? null : text,
            Body = Hash.Of($"{request.Method} {request.Path} {request.IfMatch} {text}"), IfMatch = request.IfMatch,
            Count = request.Count, Changes = request.Changes, Stock = request.Stock, Delta = request.Delta,
            Customer = request.Customer?.Id ?? (request.Operation == "users.login" ? request.Asked[0] : null),
            HasWrongPassword = request.HasWrongPassword, Asked = request.Asked,
            Tokens = [.. request.Tokens.Select(one => one.Promise)],
        };
        attempt = ReplyReader.Read(attempt, reply);
        recording.Add(attempt);
        return (attempt, reply);
    }

    public void Dispose()
    {
        foreach (var process in processes.Values) process.Dispose();
    }

    private static HttpRequestMessage Message(Request request, string text, string trace, string? key)
    {
        var message = new HttpRequestMessage(request.Method, request.Path);
        message.Headers.Add("traceparent", $"00-{trace}-{trace[16..]}-01");
        if (key is not null) message.Headers.Add("Idempotency-Key", key);
        if (request.IfMatch is { } version)
            message.Headers.Add(
                "If-Match", string.Create(System.Globalization.CultureInfo.InvariantCulture, $"\"{version}\""));
        if (request.Tokens.Count > 0)
            message.Headers.Add("Consistency-Token", string.Join(',', request.Tokens.Select(one => one.Token)));
        if (request.Customer is { } customer)
            message.Headers.Authorization = new AuthenticationHeaderValue("Bearer", customer.Bearer);
        if (request.Operation.EndsWith(".stream", StringComparison.Ordinal))
            message.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("application/x-ndjson"));
        if (text.Length > 0) message.Content = new StringContent(text, Encoding.UTF8, "application/json");
        // HttpClient sends a request without content again by itself when its connection ends.
        else if (!Operation.All[request.Operation].IsRead) message.Content = new ByteArrayContent([]);
        return message;
    }

    private static async Task<Reply?> TryAsync(HttpClient process, HttpRequestMessage message)
    {
        try
        {
            using var response = await process.SendAsync(message);
            var text = await response.Content.ReadAsStringAsync();
            return new(
                (int)response.StatusCode, text, One(response, "Consistency-Token") ?? ReplyReader.TokenIn(text),
                response.Headers.Contains("Idempotency-Replayed"), response.Headers.ETag?.Tag);
        }
        catch (Exception lost) when (lost is HttpRequestException or TaskCanceledException or IOException)
        {
            return null;
        }
    }

    private static string? One(HttpResponseMessage response, string name) =>
        response.Headers.TryGetValues(name, out var values) ? values.First() : null;
}
