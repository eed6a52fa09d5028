using ApexShop.Access;
using MediatR;

namespace ApexShop.Commands.Api.Commands;

/// <summary>A command that customers may send.</summary>
internal interface ICustomerCommand
{
    /// <summary>Whether the command concerns only what belongs to the customer.</summary>
    bool IsPermittedTo(int customerId);
}

/// <summary>
/// Refuses the commands of a customer that concern others, and every command without <see cref="ICustomerCommand"/>.
/// The endpoint's policy has permitted customers before.
/// </summary>
internal sealed class CustomerCommand<TRequest, TResponse>(IHttpContextAccessor requests)
    : IPipelineBehavior<TRequest, TResponse>
    where TRequest : IRequest<TResponse>
    where TResponse : Result, IProblemResult<TResponse>
{
    public Task<TResponse> Handle(TRequest request, CancellationToken ct, RequestHandlerDelegate<TResponse> next)
    {
        var caller = requests.HttpContext?.User;
        var isPermitted = caller is null || Customer.IdOf(caller) is not { } id
            || request is ICustomerCommand command && command.IsPermittedTo(id);
        return isPermitted ? next() : Task.FromResult(TResponse.FromProblem(Problem.OwnOnly()));
    }
}
