namespace ApexShop.Projector.Projecting;

/// <summary>Events contradict the event at the checkpoint: these and the documents are of two different logs.</summary>
internal sealed class OtherLogException(string resource, long checkpoint, Guid? id)
    : Exception($"The {resource} were made from another event log; they must be rebuilt.")
{
    public string Resource => resource;

    public long Checkpoint => checkpoint;

    /// <summary>The id of the event at the checkpoint; null if it was not stored.</summary>
    public Guid? Id => id;
}
