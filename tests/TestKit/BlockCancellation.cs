namespace ApexShop.TestKit;

/// <summary>Is cancelled at the end of its block, also by a failure: clients that run until then have an end.</summary>
public sealed class BlockCancellation : CancellationTokenSource
{
    protected override void Dispose(bool disposing)
    {
        if (disposing) Cancel();
        base.Dispose(disposing);
    }
}
