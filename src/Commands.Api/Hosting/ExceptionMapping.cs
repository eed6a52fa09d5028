using Microsoft.AspNetCore.Diagnostics;

namespace ApexShop.Commands.Api.Hosting;

internal sealed class ExceptionMapping : IExceptionHandler
{
    public ValueTask<bool> TryHandleAsync(HttpContext httpContext, Exception exception, CancellationToken cancellationToken) => ValueTask.FromResult(false);
}
