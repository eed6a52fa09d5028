using ApexShop.Commands.Api.Persistence;
using MediatR;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Commands;

/// <summary>
/// Sends a refusal only when the replica has what the command has read: a primary that hung and was replaced may show
/// changes that the shop does not have, or lack some, and the refusal would be wrong. A refusal that is stored for an
/// Idempotency-Key is confirmed by its commit. An invalid request (400) is not checked.
/// </summary>
internal sealed class RefusalCheck<TRequest, TResponse>(ShopDbContext db, ConstraintProblems constraints)
    : IPipelineBehavior<TRequest, TResponse>
    where TRequest : IRequest<TResponse>
    where TResponse : Result
{
    public async Task<TResponse> Handle(TRequest request, CancellationToken ct, RequestHandlerDelegate<TResponse> next)
    {
        if (db.Database.CurrentTransaction is not null) return await next();
        // The check needs the session that has read: another one may be at the server that has replaced its own.
        await db.Database.OpenConnectionAsync(ct);
        try
        {
            var response = await next();
            if (response.Problem is { Status: > 400 }) await db.CheckPrimaryAsync();
            return response;
        }
        catch (Exception refused) when (constraints.Find(refused) is { Status: > 400 and < 500 })
        {
            await db.CheckPrimaryAsync();
            throw;
        }
        finally
        {
            await db.Database.CloseConnectionAsync();
        }
    }
}
