namespace ApexShop.Queries.Api.Caching;

/// <summary>
/// One read for all who ask the same at the same time. It goes on while somebody waits for it, whoever began it; when
/// it fails, those who only joined it try once more, together.
/// </summary>
internal sealed class Flights(TagFence fence)
{
    private readonly Dictionary<string, Flight> flying = [];
    private readonly Lock gate = new();

    /// <summary>Reads, or joins a read whose beginning is late enough for this caller.</summary>
    public async Task<Answer?> JoinAsync(
        string key, Func<FenceMark, bool> mayJoin, Func<CancellationToken, Task<Answer?>> read, CancellationToken ct)
    {
        for (var isFirst = true; ; isFirst = false)
        {
            var (flight, joined) = Board(key, mayJoin);
            try
            {
                if (!joined) _ = FlyAsync(key, flight, read);
                return await flight.Landed.WaitAsync(ct);
            }
            catch (Exception) when (joined && isFirst && !ct.IsCancellationRequested)
            {
                // The failure of another's read: it may have been only the other's.
            }
            finally
            {
                flight.Leave();
            }
        }
    }

    private (Flight Flight, bool Joined) Board(string key, Func<FenceMark, bool> mayJoin)
    {
        lock (gate)
        {
            if (flying.TryGetValue(key, out var flight) && mayJoin(flight.Mark) && flight.TryBoard()) return (flight, true);

            return (flying[key] = new Flight(fence.Note()), false);
        }
    }

    private async Task FlyAsync(string key, Flight flight, Func<CancellationToken, Task<Answer?>> read)
    {
        try
        {
            var answer = await read(flight.Token);
            Forget(key, flight);
            flight.Land(answer);
        }
        catch (Exception exception)
        {
            // Whoever tries again must not find the read that failed.
            Forget(key, flight);
            flight.Fail(exception);
        }
    }

    private void Forget(string key, Flight flight)
    {
        lock (gate)
        {
            if (flying.GetValueOrDefault(key) == flight) flying.Remove(key);
        }
    }
}
