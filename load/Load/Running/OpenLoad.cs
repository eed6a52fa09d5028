namespace ApexShop.Load.Running;

/// <summary>Starts arrivals at their planned times without waiting for their end.</summary>
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
            // The wait for a free slot is caused by the shop and counts as latency; only the generator's own delay
            // counts here.
            recording.Pacing.Lateness.Record(recording.Elapsed - (planned > freeSince ? planned : freeSince));
            _ = start(planned);
        }
    }

    // Limits memory and sockets: without responses, every arrival would use one of each.
    private async Task PlaceAsync(CancellationToken ct)
    {
        recording.Pacing.Hold();
        while (recording.InFlight >= mostInFlight) await Task.Delay(soon, clock, ct);
        freeSince = recording.Elapsed;
    }
}
