using System.Threading.RateLimiting;

namespace ApexShop.Commands.Api.Commands;

/// <summary>
/// Limits how many commands of a customer run at a time: they may wait for one row, and each has a connection.
/// </summary>
internal sealed class CustomerLimit : IDisposable
{
    public const int Executing = 2;
    public const int Waiting = 20;

    private readonly PartitionedRateLimiter<int> customers = PartitionedRateLimiter.Create<int, int>(
        id => RateLimitPartition.GetConcurrencyLimiter(
            id, _ => new() { PermitLimit = Executing, QueueLimit = Waiting }));

    /// <summary>Waits for a place, which is not acquired when too many commands wait.</summary>
    public ValueTask<RateLimitLease> EnterAsync(int customerId, CancellationToken ct) =>
        customers.AcquireAsync(customerId, cancellationToken: ct);

    public void Dispose() => customers.Dispose();
}
