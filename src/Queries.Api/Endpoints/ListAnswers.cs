using ApexShop.Caching;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;
using ApexShop.Queries.Api.Requests;
using ApexShop.Queries.Api.Resources;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>
/// Answers with pages of one list. A kept page is found by the text of its question, before that is even looked into.
/// </summary>
internal sealed class ListAnswers(Resource resource, string form, AnswerCache cache)
{
    private readonly string list = $"{resource.Name}/{form}";

    public Task<Problem?> AnswerAsync(HttpContext http, Func<HttpContext, PagePlan> plan)
    {
        if (!AcceptedMedia.AcceptsJson(http.Request))
        {
            return Task.FromResult<Problem?>(Problem.NotAcceptable(AcceptedMedia.Json));
        }

        var key = list + http.Request.QueryString.Value;
        var isFresh = ConsistencyGate.IsAsked(http.Request);
        return !isFresh && cache.Find(key) is { } kept
            ? SendAsync(http, kept)
            : ReadAsync(http, key, isFresh, plan(http));
    }

    private async Task<Problem?> ReadAsync(HttpContext http, string key, bool isFresh, PagePlan plan)
    {
        if (plan.Problem is { } problem) return problem;
        string[] tags = plan.DependsOn is { } id
            ? [.. plan.List.Tags(), CacheTags.Document(resource.Name, id)]
            : plan.List.Tags();
        var question = new Question(key, tags) { IsPublic = resource.Scope is null, IsFresh = isFresh };
        var answer = await cache.ReadAsync(question, plan.Read, http.RequestAborted);
        return answer is null ? plan.Otherwise!() : await SendAsync(http, answer);
    }

    private async Task<Problem?> SendAsync(HttpContext http, Answer answer)
    {
        await JsonAnswer.WriteAsync(http, resource, answer);
        return null;
    }
}
