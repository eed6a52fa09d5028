using Microsoft.EntityFrameworkCore.Storage;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>
/// A handler's transaction. When one has begun already (for an Idempotency-Key), the handler joins it, and the code
/// that began it commits or rolls back.
/// </summary>
internal sealed class ShopTransaction(IDbContextTransaction? own) : IAsyncDisposable
{
    /// <summary>
    /// Not cancelled when the caller disconnects: PostgreSQL commits a transaction whose wait for a replica was
    /// cancelled, and others would read what only this server has.
    /// </summary>
    public Task CommitAsync() => own?.CommitAsync(CancellationToken.None) ?? Task.CompletedTask;

    public ValueTask DisposeAsync() => own?.DisposeAsync() ?? ValueTask.CompletedTask;
}
