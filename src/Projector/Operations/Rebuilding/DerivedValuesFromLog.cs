using ApexShop.Events;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Users;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// What documents show of other kinds, gathered from all states at once: the same that the lookups find in the tables
/// when the documents are there.
/// </summary>
internal sealed class DerivedValuesFromLog : IDerivedValueSource
{
    private readonly Dictionary<object, object> values = new(ReferenceEqualityComparer.Instance);

    public DerivedValuesFromLog(IReadOnlyDictionary<string, List<StateChange>> changes)
    {
        var categories = Living<CategoryState>(changes[Resources.Categories]);
        var users = Living<UserState>(changes[Resources.Users]);
        var products = Living<ProductState>(changes[Resources.Products]);
        var orders = Living<OrderState>(changes[Resources.Orders]);
        var reviews = Living<ReviewState>(changes[Resources.Reviews]);
        Add(DerivedValues.CategoryNames, categories.ToDictionary(category => category.Id, category => category.Name));
        Add(DerivedValues.UserNames, users.ToDictionary(user => user.Id, user => (user.FirstName, user.LastName)));
        Add(DerivedValues.ProductNames, products.ToDictionary(product => product.Id, product => product.Name));
        Add(DerivedValues.ProductCounts, products.CountBy(product => product.CategoryId).ToDictionary());
        Add(DerivedValues.OrderTotals, orders.GroupBy(order => order.UserId).ToDictionary(of => of.Key, of =>
            (of.Count(), of.Where(order => order.Status != "Cancelled").Sum(order => order.TotalAmount))));
        Add(DerivedValues.Ratings, reviews.GroupBy(review => review.ProductId).ToDictionary(of => of.Key, of =>
            (Math.Round(of.Average(review => (decimal)review.Rating), 2, MidpointRounding.AwayFromZero), of.Count())));
    }

    public Dictionary<int, T> Ask<T>(DerivedValue<T> lookup, IEnumerable<int> ids) => (Dictionary<int, T>)values[lookup];

    private void Add<T>(DerivedValue<T> lookup, Dictionary<int, T> found) => values.Add(lookup, found);

    private static List<TState> Living<TState>(List<StateChange> changes) => [.. changes.Select(change => change.State).OfType<TState>()];
}
