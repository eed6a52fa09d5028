using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Reading;
using ApexShop.Queries.Api.Requests;

namespace ApexShop.Queries.Api.Endpoints;

/// <summary>How a page is read that was not kept, or what is wrong with the question.</summary>
internal sealed class PagePlan
{
    /// <summary>What is wrong.</summary>
    public Problem? Problem { get; private init; }

    public ListQuery List { get; private init; } = null!;

    /// <summary>Null when the place that was named turns out not to be there. It touches nothing of the request.</summary>
    public Func<CancellationToken, Task<Answer?>> Read { get; private init; } = null!;

    /// <summary>What to say then.</summary>
    public Func<Problem?>? Otherwise { get; init; }

    /// <summary>A document outside the list that its place depends on.</summary>
    public int? DependsOn { get; init; }

    public PagePlan(ListQuery list, Func<CancellationToken, Task<Answer?>> read) => (List, Read) = (list, read);

    private PagePlan()
    {
    }

    public static PagePlan Refused(Problem problem) => new() { Problem = problem };
}
