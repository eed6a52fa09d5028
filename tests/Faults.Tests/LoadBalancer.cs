using System.Collections.Concurrent;
using System.Net.Sockets;

namespace ApexShop.Faults.Tests;

/// <summary>
/// A client behind a load balancer: it asks every process ten times a second whether it is ready, sends to those that
/// are, keeps connections alive, and tries the next process only when a connection is refused. Any other error
/// is a failed request.
/// </summary>
internal sealed class LoadBalancer(IReadOnlyList<ShopProcess> processes) : IDisposable
{
    private readonly HttpClient http =
        new(new SocketsHttpHandler { PooledConnectionIdleTimeout = TimeSpan.FromMinutes(1) });
    private readonly ConcurrentDictionary<ShopProcess, bool> ready = new();
    private int turn;
    private int answered;

    public int Answered => Volatile.Read(ref answered);

    public ConcurrentQueue<string> Failures { get; } = new();

    public async Task ProbeAsync(CancellationToken ct)
    {
        while (!ct.IsCancellationRequested)
        {
            await Task.WhenAll(processes.Select(async process => ready[process] = await IsReadyAsync(process)));
            await Task.Delay(100, CancellationToken.None);
        }
    }

    /// <summary>Sends a request and reads the whole response.</summary>
    public async Task<string> SendAsync(HttpMethod method, string path, Func<HttpContent?> content)
    {
        var refusals = 0;
        while (true)
        {
            var process = Next();
            // HttpClient sends a request without content again by itself when its connection ends.
            using var request = new HttpRequestMessage(method, new Uri(process.Url, path))
            {
                Content = content() ?? new ByteArrayContent([]),
            };
            request.Headers.Authorization = new("Bearer", TestKeys.Everything);
            try
            {
                using var response = await http.SendAsync(request);
                var text = await response.Content.ReadAsStringAsync();
                Interlocked.Increment(ref answered);
                if (!response.IsSuccessStatusCode)
                    Failures.Enqueue($"{method} {path} at {process.Name}: {(int)response.StatusCode} {text}");
                return text;
            }
            catch (Exception refused) when (
                refused is SocketException
                    or HttpRequestException { HttpRequestError: HttpRequestError.ConnectionError }
                && ++refusals < 50)
            {
                ready[process] = false;
            }
            catch (Exception lost) when (ShopProcess.IsDisconnect(lost))
            {
                Failures.Enqueue($"{method} {path} at {process.Name}: {lost.Message}");
                return "";
            }
        }
    }

    public void Dispose() => http.Dispose();

    private ShopProcess Next()
    {
        var usable = processes.Where(process => ready.GetValueOrDefault(process, true)).ToList();
        if (usable.Count == 0) usable = [.. processes];
        return usable[(int)((uint)Interlocked.Increment(ref turn) % (uint)usable.Count)];
    }

    private static async Task<bool> IsReadyAsync(ShopProcess process)
    {
        try
        {
            using var response = await process.Http.GetAsync("/health/ready");
            return response.IsSuccessStatusCode;
        }
        catch (Exception failed) when (ShopProcess.IsDisconnect(failed))
        {
            return false;
        }
    }
}
