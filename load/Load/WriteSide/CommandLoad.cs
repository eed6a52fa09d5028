using System.Diagnostics;

namespace ApexShop.Load.WriteSide;

/// <summary>
/// Eight callers of a path for a time: the rate, and the processor time that a request costs the API and its
/// connections to PostgreSQL, until its events are published.
/// </summary>
internal sealed class CommandLoad(BenchShop shop, HttpClient client, string path, Func<byte[]> body)
{
    public const int Connections = 8;

    private static readonly TimeSpan round = TimeSpan.FromSeconds(1.5);

    private readonly List<double> api = [];
    private readonly List<double> postgreSql = [];

    /// <summary>Requests a second.</summary>
    public async Task<double> RunAsync(CancellationToken ct)
    {
        var before = await shop.ProcessorTimeAsync(ct);
        var started = Stopwatch.GetTimestamp();
        var rate = await ClosedLoop.RateAsync(Connections, round, SendAsync, ct);
        var requests = rate * Stopwatch.GetElapsedTime(started).TotalSeconds;
        await shop.DrainedAsync();
        var after = await shop.ProcessorTimeAsync(ct);
        api.Add((after.Api - before.Api).TotalMicroseconds / requests);
        postgreSql.Add((after.PostgreSql - before.PostgreSql).TotalMicroseconds / requests);
        return rate;
    }

    /// <summary>The costs of the last rounds, with the goals of the command.</summary>
    public IEnumerable<Figure> Costs(
        string what, int rounds, double? apiGoal = null, double? postgreSqlGoal = null) =>
    [
        Figure.Of($"{what}: processor time of the API", "us", "0", [.. api.TakeLast(rounds)], apiGoal),
        Figure.Of(
            $"{what}: processor time of PostgreSQL", "us", "0", [.. postgreSql.TakeLast(rounds)], postgreSqlGoal),
    ];

    private async Task SendAsync(CancellationToken ct)
    {
        using var response = await client.PostAsync(path, Bodies.Content(body()), ct);
        response.EnsureSuccessStatusCode();
    }
}
