using System.Globalization;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Synthetic;

/// <summary>A shop in memory that executes commands one after the other and records them as clients do.</summary>
internal sealed class SyntheticShop
{
    public const int Clients = 8;

    private const int Products = 2000;
    private const int PageSize = 5;
    private const int UserId = 1;
    private const int CategoryId = 1;

    private readonly Random random;
    private readonly Dictionary<(string, int), LogEvent> last = [];
    private readonly Dictionary<string, long> positions = [];
    private int orders;

    public SyntheticShop(int seed)
    {
        random = new Random(seed);
        Create(Kinds.Categories, CategoryId, new() { Name = "Desks", IsActive = true });
        Create(Kinds.Users, UserId, new() { Name = "a@prove.example", First = "A", Last = "B", IsActive = true });
        for (var id = 1; id <= Products; id++)
            Create(
                Kinds.Products, id, new()
                {
                    Name = $"P{id}", Amount = 9.5m, Stock = 100, CategoryId = CategoryId, IsActive = true,
                });
    }

    public List<Attempt> Attempts { get; } = [];

    public List<LogEvent> Events { get; } = [];

    /// <summary>Executes one more command or read.</summary>
    public void Next()
    {
        var id = random.Next(1, Products + 1);
        var product = last[(Kinds.Products, id)];
        switch (random.Next(12))
        {
            case < 3:
                Attempts.Add(Begin("products.document") with { Asked = [id], Seen = [SightOf(product)] });
                break;
            case < 6:
                var delta = random.Next(1, 20);
                Change(
                    "products.stock", product, "stock-changed",
                    product.State with { Stock = product.State.Stock + delta },
                    attempt => attempt with { Delta = delta });
                break;
            case < 9:
                var name = $"N{Events.Count}";
                Change("products.replace", product, "updated", product.State with { Name = name },
                    attempt => attempt with { IfMatch = product.Version, Sent = $$"""{"name":"{{name}}"}""" });
                break;
            case 9:
                Order(product);
                break;
            case 10:
                Attempts.Add(Page("products.numbered", "/products?pageSize=5", id) with
                    { Totals = [Products, Products / PageSize, PageSize] });
                break;
            default:
                Attempts.Add(Page("products.changes", "/products/changes?pageSize=5&after=x", id));
                break;
        }
    }

    private Attempt Page(string operation, string path, int first)
    {
        var ids = Enumerable.Range(first, Math.Min(PageSize, Products + 1 - first));
        return Begin(operation) with { Path = path, Seen = [.. ids.Select(id => SightOf(last[(Kinds.Products, id)]))] };
    }

    private void Order(LogEvent product)
    {
        var attempt = Begin("orders.create");
        var id = ++orders;
        var line = new Line(product.Aggregate, 1, product.State.Amount);
        Write(attempt.Trace, Kinds.Products, product.Aggregate, "product.stock-changed",
            product.State with { Stock = product.State.Stock - 1 });
        Write(attempt.Trace, Kinds.Orders, id, "order.placed",
            new() { Status = "Pending", UserId = UserId, Amount = line.UnitPrice, Lines = [line] });
        Attempts.Add(attempt with { Key = attempt.Trace, Saved = [new(Kinds.Orders, id, 1)] });
        Attempts.Add(Begin("orders.create") with
        {
            Key = attempt.Trace, Saved = [new(Kinds.Orders, id, 1)], Replayed = true,
        });
    }

    private void Change(
        string operation, LogEvent before, string type, AggregateState state, Func<Attempt, Attempt> sent)
    {
        var attempt = Begin(operation);
        var written = Write(attempt.Trace, before.Resource, before.Aggregate, $"product.{type}", state);
        Attempts.Add(sent(attempt with { Asked = [written.Aggregate], Saved = [SavedOf(written)] }));
        Attempts.Add(Begin("products.document") with
        {
            Client = attempt.Client, Asked = [written.Aggregate], Seen = [SightOf(written)],
            Tokens = [SavedOf(written)],
        });
    }

    private void Create(string resource, int id, AggregateState state)
    {
        var attempt = Begin($"{resource}.create");
        var one = resource == Kinds.Categories ? "category" : resource[..^1];
        Attempts.Add(attempt with { Saved = [SavedOf(Write(attempt.Trace, resource, id, $"{one}.created", state))] });
    }

    private Attempt Begin(string operation) => new()
    {
        Client = Attempts.Count % Clients, Number = Attempts.Count, Operation = operation, Process = "memory",
        Path = "/products", Trace = Attempts.Count.ToString("x32", CultureInfo.InvariantCulture),
        Start = (Attempts.Count * 10L) + 1, End = (Attempts.Count * 10L) + 9, Outcome = Outcome.Acknowledged,
        Status = 200,
    };

    private LogEvent Write(string trace, string resource, int id, string type, AggregateState state)
    {
        var written = new LogEvent
        {
            Position = Events.Count + 1, Previous = positions.GetValueOrDefault(resource),
            Id = Events.Count.ToString(CultureInfo.InvariantCulture), LogId = "synthetic", Type = $"apexshop.{type}",
            Resource = resource, Aggregate = id, Trace = trace, Actor = "prove", State = state,
            Version = (last.GetValueOrDefault((resource, id))?.Version ?? 0) + 1,
        };
        Events.Add(written);
        positions[resource] = written.Position;
        return last[(resource, id)] = written;
    }

    private static Saved SavedOf(LogEvent one) => new(one.Resource, one.Aggregate, one.Version);

    private static Sight SightOf(LogEvent one) => new(one.Aggregate, one.Version, one.State.Digest);
}
