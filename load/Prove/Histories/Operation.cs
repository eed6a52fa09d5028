namespace ApexShop.Prove.Histories;

/// <summary>What the events of an operation look like.</summary>
internal enum Effect
{
    Read,
    Create,
    BulkCreate,
    Replace,
    BulkReplace,
    Delete,
    BulkDelete,

    /// <summary>Rows that a condition selects; the response has their number.</summary>
    Select,

    /// <summary>A change of one aggregate whose version the response does not name.</summary>
    Login,

    /// <summary>The removal of a person: a change of the user, and of the orders that have an address.</summary>
    Erase,
}

/// <summary>An operation of the API: the resource that it changes or reads, and its effect.</summary>
internal sealed record Operation(string Name, string Resource, Effect Effect)
{
    private static readonly (string Verb, Effect Effect)[] common =
    [
        ("create", Effect.Create), ("replace", Effect.Replace), ("patch", Effect.Replace), ("delete", Effect.Delete),
        ("document", Effect.Read), ("batch", Effect.Read), ("page", Effect.Read), ("stream", Effect.Read),
        ("filtered", Effect.Read), ("numbered", Effect.Read), ("changes", Effect.Read), ("export", Effect.Read),
    ];

    private static readonly (string Verb, Effect Effect)[] bulk =
    [
        ("bulk-create", Effect.BulkCreate), ("bulk-replace", Effect.BulkReplace), ("bulk-delete", Effect.BulkDelete),
    ];

    public static IReadOnlyDictionary<string, Operation> All { get; } =
        ((IEnumerable<Operation>)[
            .. Kinds.All.SelectMany(resource => Of(resource, common)),
            .. Kinds.All.Where(resource => resource != Kinds.Orders).SelectMany(resource => Of(resource, bulk)),
            new("products.stock", Kinds.Products, Effect.Replace),
            new("products.bulk-stock", Kinds.Products, Effect.Select),
            new("products.search", Kinds.Products, Effect.Read),
            new("products.by-slug", Kinds.Products, Effect.Read),
            new("products.facets", Kinds.Products, Effect.Read),
            new("products.suggest", Kinds.Products, Effect.Read),
            new("reviews.of-product", Kinds.Reviews, Effect.Read),
            new("orders.own", Kinds.Orders, Effect.Read),
            new("users.file", Kinds.Users, Effect.Read),
            new("users.login", Kinds.Users, Effect.Login),
            new("users.erase", Kinds.Users, Effect.Erase),
            new("users.deactivate-inactive", Kinds.Users, Effect.Select),
            new("orders.delete-old", Kinds.Orders, Effect.Select),
            new("reviews.delete-old", Kinds.Reviews, Effect.Select),
        ]).ToDictionary(operation => operation.Name);

    public bool IsRead => Effect == Effect.Read;

    /// <summary>The name without the resource.</summary>
    public string Verb => Name[(Resource.Length + 1)..];

    /// <summary>Whether an event of this kind may come from the operation, its consequences included.</summary>
    public bool Permits(LogEvent one) => one.Resource == Resource
        ? Effect switch
        {
            Effect.Create or Effect.BulkCreate => one.Kind == EventKind.Created,
            Effect.Replace or Effect.BulkReplace or Effect.Login or Effect.Erase => one.Kind == EventKind.Changed,
            Effect.Delete or Effect.BulkDelete => one.Kind == EventKind.Deleted,
            Effect.Select => one.Kind != EventKind.Created,
            _ => false,
        }
        : one.Resource switch
        {
            Kinds.Products => Resource == Kinds.Orders && !IsRead && one.Kind == EventKind.Changed,
            Kinds.Reviews => Resource is Kinds.Products or Kinds.Users
                && Effect is Effect.Delete or Effect.BulkDelete && one.Kind == EventKind.Deleted,
            Kinds.Orders => Effect == Effect.Erase && one.Kind == EventKind.Changed,
            _ => false,
        };

    private static IEnumerable<Operation> Of(string resource, (string Verb, Effect Effect)[] verbs) =>
        verbs.Select(verb => new Operation($"{resource}.{verb.Verb}", resource, verb.Effect));
}

/// <summary>The names of the resources in paths and events.</summary>
internal static class Kinds
{
    public const string Products = "products";
    public const string Categories = "categories";
    public const string Orders = "orders";
    public const string Reviews = "reviews";
    public const string Users = "users";

    public static IReadOnlyList<string> All { get; } = [Products, Categories, Orders, Reviews, Users];
}
