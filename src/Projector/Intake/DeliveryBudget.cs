namespace ApexShop.Projector.Intake;

/// <summary>
/// Bounds the bytes of the messages that were delivered and are not applied. The limit is exceeded by one message at
/// most, so that a message of any size can be applied.
/// </summary>
internal sealed class DeliveryBudget(long limit)
{
    private readonly Lock gate = new();
    private TaskCompletionSource room = new();
    private long taken;

    public bool IsEmpty
    {
        get
        {
            lock (gate) return taken == 0;
        }
    }

    public void Take(int bytes)
    {
        lock (gate)
        {
            taken += bytes;
            if (room.Task.IsCompleted) room = new(TaskCreationOptions.RunContinuationsAsynchronously);
            SetRoom();
        }
    }

    public void Release(int bytes)
    {
        lock (gate)
        {
            taken -= bytes;
            SetRoom();
        }
    }

    /// <summary>Ends when the bytes are within the limit.</summary>
    public Task RoomAsync(CancellationToken ct)
    {
        lock (gate) return taken <= limit ? Task.CompletedTask : room.Task.WaitAsync(ct);
    }

    private void SetRoom()
    {
        if (taken <= limit) room.TrySetResult();
    }
}
