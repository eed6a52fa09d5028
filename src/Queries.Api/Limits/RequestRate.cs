using ApexShop.Limits;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Limits;

/// <summary>Refuses a caller who has used up his requests.</summary>
internal sealed class RequestRate(IOptions<LimitOptions> limits, TimeProvider clock)
{
    private readonly CallerRates rates = new(limits.Value.KeyRate, limits.Value.AnonymousRate, clock);

    public Task InvokeAsync(HttpContext http, RequestDelegate next) => rates.Pass(http) ? next(http) : Task.CompletedTask;
}
