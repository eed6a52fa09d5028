using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>The attempts of all clients with one clock, and the trace ids of a run.</summary>
internal sealed class Recording
{
    private readonly ConcurrentQueue<Attempt> attempts = new();
    private readonly long began = Stopwatch.GetTimestamp();

    /// <summary>Different in each run, so that two runs with one seed do not share trace ids, keys and names.</summary>
    public string Run { get; } = Convert.ToHexStringLower(Guid.NewGuid().ToByteArray()[..6]);

    public DateTimeOffset Began { get; } = TimeProvider.System.GetUtcNow();

    public IReadOnlyCollection<Attempt> Attempts => attempts;

    /// <summary>Microseconds since the run began.</summary>
    public long Now => (long)Stopwatch.GetElapsedTime(began).TotalMicroseconds;

    public string Trace(int client, int number) => string.Create(
        CultureInfo.InvariantCulture, $"{Run}{client & 0xffff:x4}{number:x8}{Hash.Of(Run) & 0xffffffff:x8}");

    public void Add(Attempt attempt) => attempts.Enqueue(attempt);
}
