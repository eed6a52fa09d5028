using Microsoft.EntityFrameworkCore.Storage;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>
/// A handler's transaction, or its part in the one that runs already: then whoever began that one ends it, and
/// rolls back when the handler answers with a problem.
/// </summary>
internal sealed class ShopTransaction(IDbContextTransaction? own) : IAsyncDisposable
{
    public Task CommitAsync(CancellationToken ct) => own?.CommitAsync(ct) ?? Task.CompletedTask;

    public ValueTask DisposeAsync() => own?.DisposeAsync() ?? ValueTask.CompletedTask;
}
