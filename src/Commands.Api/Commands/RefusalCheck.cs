using ApexShop.Commands.Api.Persistence;
using MediatR;

namespace ApexShop.Commands.Api.Commands;

/// <summary>
/// Sends a refusal when the replica has what the command has read: a primary that hung and was replaced shows changes
/// that the shop does not have, and a refusal because of one of them is false.
/// </summary>
internal sealed class RefusalCheck<TRequest, TResponse>(ShopDbContext db, ConstraintProblems constraints)
    : IPipelineBehavior<TRequest, TResponse>
    where TRequest : IRequest<TResponse>
    where TResponse : Result
{
    public async Task<TResponse> Handle(TRequest request, CancellationToken ct, RequestHandlerDelegate<TResponse> next)
    {
        try
        {
            var response = await next();
            if (response.Problem is not null) await db.CheckPrimaryAsync();
            return response;
        }
        catch (Exception refused) when (constraints.Find(refused) is { Status: < 500 })
        {
            await db.CheckPrimaryAsync();
            throw;
        }
    }
}
