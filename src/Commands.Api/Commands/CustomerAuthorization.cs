using ApexShop.Access;
using MediatR;

namespace ApexShop.Commands.Api.Commands;

/// <summary>
/// Refuses the commands of a customer that concern others, and every command without <see cref="ICustomerCommand"/>;
/// few of one customer run at a time. The endpoint's policy has permitted customers before. An
/// <see cref="IPublicCommand"/> is neither refused nor limited.
/// </summary>
internal sealed class CustomerAuthorization<TRequest, TResponse>(IHttpContextAccessor requests, CustomerLimit limit)
    : IPipelineBehavior<TRequest, TResponse>
    where TRequest : IRequest<TResponse>
    where TResponse : Result, IProblemResult<TResponse>
{
    public Task<TResponse> Handle(TRequest request, CancellationToken ct, RequestHandlerDelegate<TResponse> next)
    {
        if (request is IPublicCommand) return next();
        if (requests.HttpContext?.User is not { } caller || Customer.IdOf(caller) is not { } id) return next();
        return request is ICustomerCommand command && command.IsPermittedTo(id)
            ? RunAsync(id, next, ct)
            : Task.FromResult(TResponse.FromProblem(Problem.OwnOnly()));
    }

    private async Task<TResponse> RunAsync(
        int customerId, RequestHandlerDelegate<TResponse> next, CancellationToken ct)
    {
        using var place = await limit.EnterAsync(customerId, ct);
        return place.IsAcquired
            ? await next()
            : TResponse.FromProblem(Problem.Of(StatusCodes.Status429TooManyRequests));
    }
}
