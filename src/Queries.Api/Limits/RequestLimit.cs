using ApexShop.Queries.Api.Requests;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Limits;

/// <summary>Gives up a request that waits for too long.</summary>
internal sealed class RequestLimit(IOptions<LimitOptions> options, TimeProvider clock)
{
    private readonly TimeSpan limit = TimeSpan.FromSeconds(options.Value.RequestSeconds);

    public RequestDelegate Around(RequestDelegate answer) => http => AnswerAsync(http, answer);

    private async Task AnswerAsync(HttpContext http, RequestDelegate answer)
    {
        if (await IsInTimeAsync(http, answer)) return;
        await Problem.TimedOut().WriteAsync(http);
    }

    private async Task<bool> IsInTimeAsync(HttpContext http, RequestDelegate answer)
    {
        var connection = http.Features.GetRequiredFeature<IHttpRequestLifetimeFeature>();
        using var time = new RequestTime(connection, limit, clock);
        http.Features.Set<IHttpRequestLifetimeFeature>(time);
        try
        {
            await answer(http);
            return true;
        }
        catch (OperationCanceledException) when (time.IsOver)
        {
            return false;
        }
        finally
        {
            http.Features.Set(connection);
        }
    }
}
