namespace ApexShop.Load.Running;

/// <summary>Starts arrivals at their planned times and waits for none of them.</summary>
internal sealed class OpenLoad(TimeProvider clock, Recording recording, Func<TimeSpan, Task> start, int mostInFlight)
{
    private static readonly TimeSpan soon = TimeSpan.FromMilliseconds(1);

    private TimeSpan freeSince;

    public async Task RunAsync(IEnumerable<TimeSpan> arrivals, CancellationToken ct)
    {
        foreach (var planned in arrivals)
        {
            await Timing.WaitAsync(clock, planned - recording.Elapsed, ct);
            if (recording.InFlight >= mostInFlight) await PlaceAsync(ct);
            // The wait for a place is the shop's doing and stays in the latency; here only the generator's own delay
            // counts.
            recording.Pacing.Lateness.Record(recording.Elapsed - (planned > freeSince ? planned : freeSince));
            _ = start(planned);
        }
    }

    // Memory and sockets are bounded: a shop that does not answer at all would take one of each for every arrival.
    private async Task PlaceAsync(CancellationToken ct)
    {
        recording.Pacing.Hold();
        while (recording.InFlight >= mostInFlight) await Task.Delay(soon, clock, ct);
        freeSince = recording.Elapsed;
    }
}
