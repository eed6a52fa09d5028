using System.Data.Common;
using Microsoft.EntityFrameworkCore.Diagnostics;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>Sends the signal after every commit of EF Core, of a transaction or of SaveChanges.</summary>
internal sealed class SignalInterceptor(OutboxSignal signal) : IDbTransactionInterceptor, ISaveChangesInterceptor
{
    public Task TransactionCommittedAsync(
        DbTransaction transaction, TransactionEndEventData eventData, CancellationToken cancellationToken)
    {
        signal.Send();
        return Task.CompletedTask;
    }

    public ValueTask<int> SavedChangesAsync(
        SaveChangesCompletedEventData eventData, int result, CancellationToken cancellationToken)
    {
        if (eventData.Context?.Database.CurrentTransaction is null) signal.Send();
        return ValueTask.FromResult(result);
    }
}
