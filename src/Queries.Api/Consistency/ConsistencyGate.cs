using ApexShop.Consistency;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;

namespace ApexShop.Queries.Api.Consistency;

/// <summary>
/// Lets a query with a Consistency-Token wait until the documents show the change that the token names. Such a query
/// uses no cached response, since the tags of the change may not have been raised yet. The gate reads the same server
/// as the query: another one may be behind.
/// </summary>
internal sealed class ConsistencyGate(
    IVersionReader reader,
    ConsistencyTokens tokens,
    IOptions<ConsistencyOptions> options,
    IOptions<ReadingOptions> reading,
    TimeProvider clock,
    WaitMetrics metrics)
{
    /// <summary>How many tokens a query may send: those of the last commands of its client.</summary>
    public const int MaxTokens = 8;

    private const int RetryAfterSeconds = 1;

    private static readonly TimeSpan shortest = TimeSpan.FromMilliseconds(2);
    private static readonly TimeSpan longest = TimeSpan.FromMilliseconds(25);

    // A read that has begun may take longer than the wait, but not as long as a connection and a statement may.
    private static readonly TimeSpan longestRead = TimeSpan.FromSeconds(1);

    private readonly TimeSpan wait = TimeSpan.FromMilliseconds(options.Value.WaitMilliseconds);

    // Waiting queries share statements: at most two at a time for each resource, however many queries wait.
    private readonly Dictionary<string, BatchLoader<int, long>> versions = ReadModel.All.ToDictionary(
        resource => resource.Name,
        resource => BatchLoader.ByKey<int, long>(
            (ids, ct) => reader.ReadAsync(resource, ids, ct), TimeSpan.FromSeconds(reading.Value.StatementSeconds)));

    public static bool HasToken(HttpRequest request) => request.Headers.ContainsKey(ConsistencyToken.Header);

    /// <summary>Null when the documents show the change.</summary>
    public async Task<Problem?> WaitAsync(HttpContext http)
    {
        if (Read(http.Request.Headers[ConsistencyToken.Header]) is not { } token) return Malformed();

        var began = clock.GetTimestamp();
        using var span = WaitMetrics.Start(token);
        var isSeen = await InTimeAsync(IsSeenAsync(token, began, http.RequestAborted));
        metrics.Waited(clock.GetElapsedTime(began), isSeen);
        return isSeen ? null : NotReached();
    }

    // One token is not enough for commands that changed different resources, whose events are applied in any order.
    private ConsistencyToken? Read(StringValues header)
    {
        var (changes, texts) = (new List<ConsistencyToken.Change>(), header.ToString().Split(',', MaxTokens + 1));
        foreach (var text in texts)
        {
            if (!tokens.TryRead(text.Trim(), out var token)) return null;
            changes.AddRange(token.Changes);
        }

        var last = changes.GroupBy(change => (change.Resource, change.Id))
            .Select(same => same.MaxBy(change => change.Version)!);
        return texts.Length > MaxTokens ? null : new ConsistencyToken([.. last]);
    }

    private async Task<bool> InTimeAsync(Task<bool> seeing)
    {
        try
        {
            return await seeing.WaitAsync(wait + longestRead, clock);
        }
        catch (TimeoutException) when (!seeing.IsCompleted)
        {
            return false;
        }
    }

    private async Task<bool> IsSeenAsync(ConsistencyToken token, long began, CancellationToken ct)
    {
        var pause = shortest;
        foreach (var change in token.Changes)
        {
            while (await versions[change.Resource].LoadAsync(change.Id, ct) < change.Version)
            {
                if (clock.GetElapsedTime(began) + pause > wait) return false;
                await Task.Delay(pause, clock, ct);
                pause = TimeSpan.FromTicks(Math.Min(pause.Ticks * 2, longest.Ticks));
            }
        }

        return true;
    }

    private static Problem Malformed() => new(
        StatusCodes.Status400BadRequest,
        "consistency.token_malformed",
        $"{ConsistencyToken.Header} must be a value that a command returned, or up to {MaxTokens} with commas.");

    private static Problem NotReached() => new(
        StatusCodes.Status503ServiceUnavailable,
        "consistency.not_reached",
        "The documents do not show the change yet.")
    {
        RetryAfterSeconds = RetryAfterSeconds,
    };
}
