using ApexShop.Access;
using MediatR;

namespace ApexShop.Commands.Api.Commands;

/// <summary>What a customer may do with a command.</summary>
internal interface ICustomerRule<in TRequest>
{
    /// <summary>Null when the command concerns only what belongs to the customer.</summary>
    Task<Problem?> RefusalAsync(TRequest request, int customerId, CancellationToken ct);
}

/// <summary>
/// Before each command of a customer, applies its rule; a command without a rule is refused. The endpoint's policy has
/// permitted customers before.
/// </summary>
internal sealed class CustomerCommand<TRequest, TResponse>(
    IHttpContextAccessor requests, IEnumerable<ICustomerRule<TRequest>> rules) : IPipelineBehavior<TRequest, TResponse>
    where TRequest : IRequest<TResponse>
    where TResponse : Result, IProblemResult<TResponse>
{
    public async Task<TResponse> Handle(TRequest request, CancellationToken ct, RequestHandlerDelegate<TResponse> next)
    {
        var caller = requests.HttpContext?.User;
        if (caller is null || Customer.IdOf(caller) is not { } id) return await next();

        var rule = rules.SingleOrDefault();
        var problem = rule is null ? Problem.OwnOnly() : await rule.RefusalAsync(request, id, ct);
        return problem is null ? await next() : TResponse.FromProblem(problem);
    }
}
