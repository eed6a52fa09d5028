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

    public Answer? FindKept(HttpRequest request) =>
        AcceptedMedia.AcceptsJson(request) ? cache.Find(list, request.QueryString.Value) : null;

    public async Task<Problem?> AnswerAsync(HttpContext http, Func<HttpContext, PagePlan> planned)
    {
        var request = http.Request;
        if (!AcceptedMedia.AcceptsJson(request)) return Problem.NotAcceptable(AcceptedMedia.Json);
        var plan = planned(http);
        if (plan.Problem is { } problem) return problem;

        string[] tags = plan.DependsOn is { } id
            ? [.. plan.List.Tags(), CacheTags.Document(resource.Name, id)]
            : plan.List.Tags();
        var question = new Question(list + request.QueryString.Value, tags)
        {
            IsPublic = resource.Scope is null,
            IsFresh = ConsistencyGate.IsAsked(request),
        };
        if (await cache.ReadAsync(question, plan.Read, http.RequestAborted) is not { } answer) return plan.Otherwise!();
        await JsonAnswer.WriteAsync(http, resource, answer);
        return null;
    }
}
