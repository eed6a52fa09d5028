using Microsoft.EntityFrameworkCore.Storage;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>
/// A handler's transaction. When one has begun already (for an Idempotency-Key), the handler joins it, and the code
/// that began it commits or rolls back.
/// </summary>
internal sealed class ShopTransaction(IDbContextTransaction? own) : IAsyncDisposable
{
    public Task CommitAsync(CancellationToken ct) => own?.CommitAsync(ct) ?? Task.CompletedTask;

    public ValueTask DisposeAsync() => own?.DisposeAsync() ?? ValueTask.CompletedTask;
}
