using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>What one client has seen of the shop, and the random numbers by which it chooses.</summary>
internal sealed class KnownShop
{
    private const int Remembered = 200;

    private readonly Dictionary<string, List<KnownAggregate>> aggregates =
        Kinds.All.ToDictionary(resource => resource, _ => new List<KnownAggregate>());

    // Woods that no sample data has: what a search for one of them finds follows from the names of this program.
    private static readonly string[] words = ["zebrano", "bubinga", "padauk", "merbau"];

    // A token of a login is valid for twelve hours.
    private static readonly TimeSpan tokenAge = TimeSpan.FromHours(11);

    private readonly List<KnownAggregate> deleted = [];
    private readonly List<(KnownCustomer Customer, long Since)> customers = [];
    private readonly string run;
    private readonly int client;

    public KnownShop(int seed, int client, string run)
    {
        (this.run, this.client) = (run, client);
        Random = new Random(unchecked((seed * 1_000_003) + client));
    }

    public Random Random { get; }

    /// <summary>The number of the request that is planned.</summary>
    public int Number { get; set; }

    /// <summary>Text that no other request has, so that what is written differs from what was there.</summary>
    public string Mark(int item = 0) => $"{run} c{client}n{Number}i{item}";

    public static IReadOnlyList<string> Words => words;

    /// <summary>A word of the names of products.</summary>
    public string Word() => words[Random.Next(words.Length)];

    /// <summary>The slug of a product that is not deleted.</summary>
    public string? SharedSlug => aggregates[Kinds.Products].Find(one => one.IsShared)?.Slug;

    public string Slug() => $"{run}-c{client}n{Number}";

    /// <summary>The cursors behind the changes that this client has seen, by resource.</summary>
    public Dictionary<string, string> Cursors { get; } = [];

    public KnownCustomer? AnyCustomer()
    {
        customers.RemoveAll(one => TimeProvider.System.GetElapsedTime(one.Since) > tokenAge);
        return customers.Count == 0 ? null : customers[Random.Next(customers.Count)].Customer;
    }

    public void LogIn(KnownCustomer customer) => customers.Add((customer, TimeProvider.System.GetTimestamp()));

    public string Email(int item = 0) => $"{run}-c{client}n{Number}i{item}@prove.example";

    /// <summary>Sometimes none.</summary>
    public string? Phone() => Chance(0.3) ? null : $"+420{Random.Next(600_000_000, 800_000_000)}";

    /// <summary>An age in days that some of the old rows have reached; without any, one that no row has.</summary>
    public int Age() => HasOldRows ? Random.Next(1, OldRows.MostDays + 30) : 36_000;

    /// <summary>Whether the shop has rows that are older than a day, which may be deleted.</summary>
    public bool HasOldRows { get; init; }

    public IReadOnlyList<KnownAggregate> Of(string resource) => aggregates[resource];

    public void Add(KnownAggregate one) => aggregates[one.Resource].Add(one);

    public KnownAggregate? Find(string resource, int id) => aggregates[resource].Find(one => one.Id == id);

    public KnownAggregate? Any(string resource) =>
        aggregates[resource] is { Count: > 0 } all ? all[Random.Next(all.Count)] : null;

    /// <summary>One that only this client uses.</summary>
    public KnownAggregate? Own(string resource) =>
        aggregates[resource].FindAll(one => !one.IsShared) is { Count: > 0 } own ? own[Random.Next(own.Count)] : null;

    /// <summary>Different aggregates, as many as there are up to a number.</summary>
    public List<KnownAggregate> Several(string resource, int most, bool own = false)
    {
        var from = aggregates[resource].Where(one => !own || !one.IsShared).ToArray();
        Random.Shuffle(from);
        return [.. from.Take(most)];
    }

    /// <summary>One that this client deleted.</summary>
    public KnownAggregate? Deleted(string resource) =>
        deleted.FindAll(one => one.Resource == resource) is { Count: > 0 } gone ? gone[Random.Next(gone.Count)] : null;

    public void Delete(string resource, int id, string? token)
    {
        aggregates[resource].RemoveAll(one => one.Id == id && !one.IsShared);
        if (token is null) return;
        deleted.Add(new(resource, id) { Token = token });
        if (deleted.Count > Remembered) deleted.RemoveAt(0);
    }

    public bool Chance(double share) => Random.NextDouble() < share;
}
