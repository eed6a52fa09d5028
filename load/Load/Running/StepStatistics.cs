namespace ApexShop.Load.Running;

/// <summary>The counts of one step, or of whole iterations. Many threads may record concurrently.</summary>
internal sealed class StepStatistics(string name)
{
    private const int KeptErrors = 20;
    private const string OtherErrors = "others";

    private readonly SortedDictionary<string, long> codes = new(StringComparer.Ordinal);
    private readonly Dictionary<string, long> errors = new(StringComparer.Ordinal);
    private readonly Lock counting = new();
    private long ok;
    private long failed;
    private long bytes;

    public string Name { get; } = name;

    public long Ok => Volatile.Read(ref ok);

    public long Failed => Volatile.Read(ref failed);

    public long Bytes => Volatile.Read(ref bytes);

    /// <summary>Good responses, measured from their due time.</summary>
    public Histogram Latency { get; } = new();

    /// <summary>Good responses, measured from the real start of the request.</summary>
    public Histogram Service { get; } = new();

    public void Record(Response response, TimeSpan latency, TimeSpan service)
    {
        Interlocked.Add(ref bytes, response.Bytes);
        // A failure may be fast; its time would improve the figures.
        if (response.Problem is null)
        {
            Latency.Record(latency);
            Service.Record(service);
            Interlocked.Increment(ref ok);
        }
        else
        {
            Interlocked.Increment(ref failed);
        }

        lock (counting)
        {
            codes[response.Code] = codes.GetValueOrDefault(response.Code) + 1;
            if (response.Problem is not { } problem) return;
            var key = errors.Count < KeptErrors || errors.ContainsKey(problem) ? problem : OtherErrors;
            errors[key] = errors.GetValueOrDefault(key) + 1;
        }
    }

    public IReadOnlyDictionary<string, long> Codes()
    {
        lock (counting) return new SortedDictionary<string, long>(codes, StringComparer.Ordinal);
    }

    /// <summary>
    /// The messages of failures with their numbers, the most frequent first; only so many different ones are kept.
    /// </summary>
    public IReadOnlyList<KeyValuePair<string, long>> Errors()
    {
        lock (counting) return [.. errors.OrderByDescending(error => error.Value)];
    }
}
