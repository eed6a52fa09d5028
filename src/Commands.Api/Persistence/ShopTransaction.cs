using Microsoft.EntityFrameworkCore.Storage;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>
/// A handler's transaction. When one has begun already (for an Idempotency-Key), the handler joins it, and the code
/// that began it commits or rolls back.
/// </summary>
internal sealed class ShopTransaction(ShopDbContext db, IDbContextTransaction? own) : IAsyncDisposable
{
    /// <summary>
    /// Not cancelled when the caller disconnects: PostgreSQL commits a transaction whose wait for a replica was
    /// cancelled, and others would read what only this server has. Where nothing was written it checks the primary.
    /// </summary>
    public async Task CommitAsync()
    {
        if (own is null) return;
        if (!db.HasWritten) await db.CheckPrimaryAsync();
        await own.CommitAsync(CancellationToken.None);
    }

    public ValueTask DisposeAsync() => own?.DisposeAsync() ?? ValueTask.CompletedTask;
}
