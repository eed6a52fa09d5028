using ApexShop.Events;
using ApexShop.Projector.ReadModels;
using ApexShop.Resources;

namespace ApexShop.Projector.Rebuilding;

/// <summary>
/// What documents show of other kinds, gathered from all states at once: the same that the lookups find in the tables
/// when the documents are there.
/// </summary>
internal sealed class KnownValues : ILookups
{
    private readonly Dictionary<object, object> values = new(ReferenceEqualityComparer.Instance);

    public KnownValues(IReadOnlyDictionary<string, List<Change>> changes)
    {
        var categories = Living<CategoryState>(changes[Resource.Categories.Name]);
        var users = Living<UserState>(changes[Resource.Users.Name]);
        var products = Living<ProductState>(changes[Resource.Products.Name]);
        var orders = Living<OrderState>(changes[Resource.Orders.Name]);
        var reviews = Living<ReviewState>(changes[Resource.Reviews.Name]);
        Add(Lookup.CategoryNames, categories.ToDictionary(category => category.Id, category => category.Name));
        Add(Lookup.UserNames, users.ToDictionary(user => user.Id, user => (user.FirstName, user.LastName)));
        Add(Lookup.ProductNames, products.ToDictionary(product => product.Id, product => product.Name));
        Add(Lookup.ProductCounts, products.CountBy(product => product.CategoryId).ToDictionary());
        Add(Lookup.OrderTotals, orders.GroupBy(order => order.UserId).ToDictionary(of => of.Key, of =>
            (of.Count(), of.Where(order => order.Status != "Cancelled").Sum(order => order.TotalAmount))));
        Add(Lookup.Ratings, reviews.GroupBy(review => review.ProductId).ToDictionary(of => of.Key, of =>
            (Math.Round(of.Average(review => (decimal)review.Rating), 2, MidpointRounding.AwayFromZero), of.Count())));
    }

    public Dictionary<int, T> Ask<T>(Lookup<T> lookup, IEnumerable<int> ids) => (Dictionary<int, T>)values[lookup];

    private void Add<T>(Lookup<T> lookup, Dictionary<int, T> found) => values.Add(lookup, found);

    private static List<TState> Living<TState>(List<Change> changes) => [.. changes.Select(change => change.State).OfType<TState>()];
}
