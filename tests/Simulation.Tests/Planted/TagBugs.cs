using ApexShop.Projector.CacheInvalidation;

namespace ApexShop.Simulation.Tests.Planted;

/// <summary>Tags are deleted that another batch stored after the raise.</summary>
internal sealed class TagsOfAnotherBatchAreCleared : Bugs
{
    public override IRaisedTags Tags(IRaisedTags tags) => new Later(tags);

    private sealed class Later(IRaisedTags tags) : IRaisedTags
    {
        public Task<PendingTags?> PendingAsync(CancellationToken ct) => tags.PendingAsync(ct);

        public async Task ClearAsync(PendingTags raised, CancellationToken ct)
        {
            if (await tags.PendingAsync(ct) is { } stored) await tags.ClearAsync(stored, ct);
        }
    }
}

/// <summary>Tags that a crash has left are deleted and not raised.</summary>
internal sealed class TagsOfACrashAreNotRaised : Bugs
{
    public override IRaisedTags Tags(IRaisedTags tags) => new Empty(tags);

    private sealed class Empty(IRaisedTags tags) : IRaisedTags
    {
        public async Task<PendingTags?> PendingAsync(CancellationToken ct) =>
            await tags.PendingAsync(ct) is { } stored ? stored with { Tags = [] } : null;

        public Task ClearAsync(PendingTags raised, CancellationToken ct) => tags.ClearAsync(raised, ct);
    }
}

/// <summary>Tags are raised and not announced.</summary>
internal sealed class RaiseWithoutAnnouncement : Bugs
{
    public override bool RaiseIsNotAnnounced => true;
}

/// <summary>A raised tag has the generation that it had before.</summary>
internal sealed class GenerationStaysTheSame : Bugs
{
    public override bool RaiseIsNotKept => true;
}

/// <summary>A raise is confirmed and lost.</summary>
internal sealed class RaiseIsConfirmedAndLost : Bugs
{
    public override bool RaiseIsLost => true;
}
