using ApexShop.Commands.Api.Commands;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>
/// Validates each item of a list by its annotations, like a single body, and requires each id to be unique.
/// </summary>
internal sealed class ItemValidator<T>(IServiceProvider services)
{
    private readonly Dictionary<int, int> places = [];
    private readonly AnnotationCheck<T> annotations = new(services);

    public async ValueTask CheckAsync(T item, int index, ItemErrors errors, CancellationToken ct)
    {
        await annotations.ValidateAsync(item, JsonPath.OfItem(index), errors.Add, ct);
        var (id, place) = item switch
        {
            int self => (self, JsonPath.OfItem(index)),
            IReplacementItem { Id: { } its } => (its, JsonPath.OfItem(index) + ".id"),
            _ => (default(int?), ""),
        };
        if (id is { } known && !places.TryAdd(known, index))
            errors.Add(place, string.Create(null, stackalloc char[64], $"Id {known} occurs at [{places[known]}] too."));
    }
}
