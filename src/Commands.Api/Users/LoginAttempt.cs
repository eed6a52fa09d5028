using System.Globalization;
using ApexShop.Commands.Api.Commands;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Commands.Api.Users;

/// <summary>The attempt to log in of one request. It has a permit of the queue until it is disposed of.</summary>
internal sealed class LoginAttempt(LoginQueue queue) : IDisposable
{
    private IDisposable? permit;

    /// <summary>Waits until the password may be verified; the refusal if the caller must try again later.</summary>
    public async Task<ProblemHttpResult?> BeginAsync(HttpContext http, string email, CancellationToken ct)
    {
        (permit, var seconds) = await queue.EnterAsync(http, email, ct);
        if (seconds == 0) return null;
        http.Response.Headers.RetryAfter = seconds.ToString(CultureInfo.InvariantCulture);
        return CommandResponses.ToHttp(Problem.Of(StatusCodes.Status429TooManyRequests));
    }

    public void Dispose() => permit?.Dispose();
}
