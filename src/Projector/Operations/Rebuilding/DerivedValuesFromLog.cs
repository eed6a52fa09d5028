using ApexShop.Events;
using ApexShop.Projector.Documents;
using ApexShop.Resources;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>
/// Derived values that are computed from all states in the event log: equal to those in the tables once the documents
/// are there.
/// </summary>
internal sealed class DerivedValuesFromLog : IDerivedValues
{
    private readonly Dictionary<object, object> values = new(ReferenceEqualityComparer.Instance);

    public DerivedValuesFromLog(IReadOnlyDictionary<string, List<StateChange>> changes)
    {
        var categories = Living<CategoryState>(changes[Resource.Categories.Name]);
        var users = Living<UserState>(changes[Resource.Users.Name]);
        var products = Living<ProductState>(changes[Resource.Products.Name]);
        var orders = Living<OrderState>(changes[Resource.Orders.Name]);
        var reviews = Living<ReviewState>(changes[Resource.Reviews.Name]);
        Add(DerivedValue.CategoryName, categories.ToDictionary(category => category.Id, category => category.Name));
        Add(DerivedValue.UserName, users.ToDictionary(user => user.Id, user => (user.FirstName, user.LastName)));
        Add(DerivedValue.ProductName, products.ToDictionary(product => product.Id, product => product.Name));
        Add(DerivedValue.ProductCount, products.CountBy(product => product.CategoryId).ToDictionary());
        Add(DerivedValue.OrderTotals, orders.GroupBy(order => order.UserId).ToDictionary(of => of.Key, of =>
            (of.Count(), of.Where(order => order.Status != "Cancelled").Sum(order => order.TotalAmount))));
        Add(DerivedValue.ProductRating, reviews.GroupBy(review => review.ProductId).ToDictionary(of => of.Key, of =>
            (Math.Round(of.Average(review => (decimal)review.Rating), 2, MidpointRounding.AwayFromZero), of.Count())));
    }

    public void Load<T>(DerivedValue<T> value, IEnumerable<int> ids)
    {
        // All values are here.
    }

    public Dictionary<int, T> Of<T>(DerivedValue<T> value) => values.TryGetValue(value, out var found)
        ? (Dictionary<int, T>)found
        : throw new InvalidOperationException($"A rebuild does not compute the values of: {value.Query}");

    private void Add<T>(DerivedValue<T> value, Dictionary<int, T> found) => values.Add(value, found);

    private static List<TState> Living<TState>(List<StateChange> changes) =>
        [.. changes.Select(change => change.State).OfType<TState>()];
}
