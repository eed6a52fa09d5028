using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// Moves committed outbox rows to the log and assigns gap-free positions. Each move renews the leader's lease in the
/// same transaction, and a leader whose term has ended moves nothing.
/// </summary>
internal sealed class Sequencer(LogHeadSignal head, LeaderLease lease, IOptions<OutboxOptions> options)
{
    /// <summary>Runs until <paramref name="ct"/> is cancelled or the connection fails.</summary>
    public async Task RunAsync(ILeaderConnection session, long term, CancellationToken ct)
    {
        // Several renewals within a lease: a short pause of the process must not end it.
        var pause = TimeSpan.FromTicks(Math.Min(options.Value.PollInterval.Ticks, options.Value.Lease.Ticks / 4));
        await session.ListenAsync(ct);
        while (true)
        {
            ct.ThrowIfCancellationRequested();
            session.IsNotified = false;
            // Not cancelled: its commit would then be visible before the replica has it.
            var moved = await MoveAsync(session, term, CancellationToken.None);
            // A notification during the move may belong to a row that the statement did not see.
            if (moved < options.Value.SequencerBatch && !session.IsNotified) await session.WaitAsync(pause, ct);
        }
    }

    /// <summary>Moves one batch and returns its number of rows.</summary>
    /// <exception cref="LeaseLostException">Another process has taken the lead.</exception>
    public async Task<long> MoveAsync(ILeaderConnection session, long term, CancellationToken ct)
    {
        var (limit, period) = (options.Value.SequencerBatch, options.Value.Lease);
        if (await session.MoveAsync(term, limit, period, lease.IsOffered, ct) is not { } moved)
            throw new LeaseLostException();
        if (moved > 0) head.Raise();
        return moved;
    }
}
