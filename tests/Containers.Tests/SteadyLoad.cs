using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text.Json.Nodes;

namespace ApexShop.Containers.Tests;

/// <summary>
/// Clients that create categories and read them, all the time. A creation is repeated with its key until it is
/// acknowledged; a read must answer, or say 503 and when to ask again.
/// </summary>
public sealed class SteadyLoad : IDisposable
{
    private const int Clients = 3;
    private static readonly TimeSpan between = TimeSpan.FromMilliseconds(50);

    // Longer than a read with a token waits for its change.
    private static readonly TimeSpan longestWait = TimeSpan.FromSeconds(3);

    private readonly HttpClient http = new() { Timeout = TimeSpan.FromMinutes(2) };
    private readonly ConcurrentDictionary<string, int> acknowledged = [];
    private readonly ConcurrentQueue<string> wrong = [];
    private readonly ConcurrentDictionary<string, int> refusals = [];
    private readonly Stopwatch clock = Stopwatch.StartNew();
    private readonly MachineClock machine = new();
    private readonly CancellationTokenSource stop = new();
    private readonly Task[] clients;
    private readonly ClusteredShop shop;

    // Of the newest change: its id and its token.
    private volatile Tuple<int, string>? newest;

    public SteadyLoad(ClusteredShop shop, string key)
    {
        this.shop = shop;
        (Writes, Reads, Changes) = (new(machine), new(machine), new(machine));
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);
        clients =
        [
            .. Enumerable.Range(0, Clients).Select(_ => Task.Run(WriteAsync)),
            .. Enumerable.Range(0, Clients).Select(_ => Task.Run(() => ReadAsync(withToken: false))),
            .. Enumerable.Range(0, Clients).Select(_ => Task.Run(() => ReadAsync(withToken: true))),
        ];
    }

    /// <summary>The names that were acknowledged, with their ids.</summary>
    public IReadOnlyDictionary<string, int> Acknowledged => acknowledged;

    /// <summary>Responses that neither a read nor a command may have.</summary>
    public IReadOnlyCollection<string> Wrong => wrong;

    /// <summary>How often each refusal was the response: its method, its status and its code.</summary>
    public IReadOnlyDictionary<string, int> Refusals => refusals;

    /// <summary>The longest time without an acknowledged command.</summary>
    public LongestPause Writes { get; }

    /// <summary>The longest time without an answered read.</summary>
    public LongestPause Reads { get; }

    /// <summary>The longest time without a read that had to show a new change, and did.</summary>
    public LongestPause Changes { get; }

    /// <summary>The longest time that a read waited for its response.</summary>
    public TimeSpan LongestRead { get; private set; }

    /// <summary>The pauses are measured from now on.</summary>
    public void Measure()
    {
        LongestRead = default;
        foreach (var pause in (LongestPause[])[Writes, Reads, Changes]) pause.Reset();
    }

    /// <summary>Ends the clients; each write that has begun is repeated until it is acknowledged.</summary>
    public async Task EndAsync()
    {
        await stop.CancelAsync();
        await Task.WhenAll(clients).WaitAsync(TimeSpan.FromMinutes(3));
    }

    public void Dispose()
    {
        stop.Dispose();
        http.Dispose();
        machine.Dispose();
    }

    private async Task WriteAsync()
    {
        while (!stop.IsCancellationRequested)
        {
            var name = $"{Guid.NewGuid()}";
            while (!await TryCreateAsync(name)) await Task.Delay(between);
            await Task.Delay(between);
        }
    }

    private async Task<bool> TryCreateAsync(string name)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, new Uri(shop.Commands, "/categories"));
        request.Headers.Add("Idempotency-Key", name);
        request.Content = JsonContent.Create(new { name });
        using var response = await TrySendAsync(request);
        if (response is null) return false;
        if (response.StatusCode != HttpStatusCode.Created)
        {
            // The first attempt may still be executed.
            await CheckAsync(response, mayBe: HttpStatusCode.Conflict);
            return false;
        }

        var id = (int)(await response.Content.ReadFromJsonAsync<JsonNode>())!["id"]!;
        acknowledged[name] = id;
        Writes.End();
        newest = Tuple.Create(id, response.Headers.GetValues("Consistency-Token").Single());
        return true;
    }

    // Null when the gateway has closed the connection, as it does when a process ends before it has answered a request
    // that was not the first of its connection. The command may have been executed.
    private async Task<HttpResponseMessage?> TrySendAsync(HttpRequestMessage command)
    {
        try
        {
            return await http.SendAsync(command);
        }
        catch (HttpRequestException failure) when (failure.HttpRequestError == HttpRequestError.ResponseEnded)
        {
            return null;
        }
    }

    // A read that waits does not delay the next one: new readers come to a shop all the time.
    private async Task ReadAsync(bool withToken)
    {
        var reads = new List<Task>();
        while (!stop.IsCancellationRequested)
        {
            await Task.Delay(between);
            if (newest is not { } change) continue;
            reads.Add(ReadAsync(change, withToken));
            await Task.WhenAny(reads[^1], Task.Delay(longestWait));
            reads.RemoveAll(read => read.IsCompletedSuccessfully);
        }

        await Task.WhenAll(reads);
    }

    private async Task ReadAsync(Tuple<int, string> change, bool withToken)
    {
        using var request = new HttpRequestMessage(
            HttpMethod.Get, new Uri(shop.Queries, $"/categories/{change.Item1}"));
        if (withToken) request.Headers.Add("Consistency-Token", change.Item2);
        var began = Stopwatch.GetTimestamp();
        using var response = await http.SendAsync(request);
        if (Stopwatch.GetElapsedTime(began) is var time && time > LongestRead) LongestRead = time;
        if (response.IsSuccessStatusCode || (!withToken && response.StatusCode == HttpStatusCode.NotFound))
            (withToken ? Changes : Reads).End();
        else
            await CheckAsync(response);
    }

    private async Task CheckAsync(HttpResponseMessage response, HttpStatusCode? mayBe = null)
    {
        var problem = await response.Content.ReadAsStringAsync();
        var code = problem.Split("\"code\":\"") is [_, var rest] ? rest.Split('"')[0] : problem;
        var refusal = $"{response.RequestMessage!.Method} {(int)response.StatusCode} {code}";
        refusals.AddOrUpdate(refusal, 1, (_, count) => count + 1);
        if (response.StatusCode != mayBe
            && (response.StatusCode != HttpStatusCode.ServiceUnavailable || response.Headers.RetryAfter is null))
            wrong.Enqueue($"{refusal} {response.RequestMessage.RequestUri!.AbsolutePath} at {clock.Elapsed}");
    }
}
