using System.Buffers;
using System.Globalization;
using System.Net;
using System.Text.Json;
using ApexShop.Events;
using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Intake;
using ApexShop.Projector.Operations.Auditing;
using ApexShop.Projector.Operations.Parking;
using ApexShop.Projector.Operations.Rebuilding;
using ApexShop.Projector.Projecting;
using ApexShop.Resources;
using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Extensions.Primitives;

namespace ApexShop.Projector.Tests.Harness;

/// <summary>An event log in memory that answers GET /events as Commands.Api does.</summary>
internal sealed class EventHistory : HttpMessageHandler
{
    private static readonly DateTimeOffset start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private static readonly string[] IncompleteParameters = ["incomplete", "compacted", "aggregate"];

    private readonly Dictionary<string, long> last = [];
    private readonly Dictionary<(string, int), long> versions = [];
    private readonly HashSet<(string, int)> gone = [];
    private readonly Dictionary<int, string> names = [];
    private long removedUpTo;

    public List<LogEntry> Entries { get; } = [];

    /// <summary>The identity of the log; null as of a release that had none.</summary>
    public string? LogId { get; set; }

    /// <summary>Up to which position the log has the events of the logs before it.</summary>
    public long CommonUpTo { get; set; }

    /// <summary>While false the log does not answer.</summary>
    public bool Available { get; set; } = true;

    /// <summary>However many are asked for, an answer has at most so many.</summary>
    public int MostEntries { get; set; } = 1000;

    public int Requests { get; private set; }

    /// <summary>The number of entries of the longest answer.</summary>
    public int LargestAnswer { get; private set; }

    /// <summary>The positions after which a rebuild has asked for pages of the compacted log.</summary>
    public List<long> PagesAfter { get; } = [];

    /// <summary>Parameters that it takes no notice of.</summary>
    public string[] Ignores { get; set; } = [];

    /// <summary>What happens between the reading of an answer and its sending.</summary>
    public Func<Task> BeforeAnswer { get; set; } = () => Task.CompletedTask;

    public bool Lives(string resource, int id) => versions.ContainsKey((resource, id)) && !IsGone(resource, id);

    public bool IsGone(string resource, int id) => gone.Contains((resource, id));

    public long NextVersion(string resource, int id) => versions.GetValueOrDefault((resource, id)) + 1;

    public LogEntry Add(string resource, string type, IAggregateState state)
    {
        byte[] data = JsonSerializer.SerializeToUtf8Bytes(state, state.GetType(), EventJson.Wire);
        return Add(resource, type, state.Id, data, state.Version);
    }

    public LogEntry Add(string resource, string type, int id, byte[] data, long version)
    {
        var position = Head + 1;
        var entry = new LogEntry(
            position,
            last.GetValueOrDefault(resource),
            Guid.CreateVersion7(),
            type,
            resource,
            id,
            start.AddSeconds(position),
            null,
            data) { LogId = LogId };
        last[resource] = position;
        versions[(resource, id)] = version;
        Entries.Add(entry);
        return entry;
    }

    /// <summary>Has the entry of another log, which must be the next one.</summary>
    public void Take(LogEntry entry)
    {
        last[entry.Resource] = entry.Position;
        versions[(entry.Resource, entry.AggregateId)] = NextVersion(entry.Resource, entry.AggregateId);
        Entries.Add(entry);
    }

    /// <summary>Loses the last entry, as a log that was restored from a backup.</summary>
    public void Forget(LogEntry lost)
    {
        Entries.Remove(lost);
        last[lost.Resource] = lost.Previous;
        versions[(lost.Resource, lost.AggregateId)]--;
    }

    public LogEntry Category(int id, string name) => Add(Resource.Categories.Name, EventTypes.CategoryUpdated,
        new CategoryState(id, name, null, true, start, NextVersion(Resource.Categories.Name, id)));

    public LogEntry Product(
        int id,
        string name,
        int category = 1,
        int stock = 5,
        decimal price = 9.99m,
        string description = "It is \"good\" & cheap: \u00fcber <b>")
    {
        names[id] = name;
        return Add(Resource.Products.Name, EventTypes.ProductUpdated, new ProductState(
            id, name, description, price, stock, true, false, category, start, null,
            NextVersion(Resource.Products.Name, id), id % 3 == 0 ? null : $"P-{id}", id % 3 == 0 ? null : $"p-{id}",
            [.. Enumerable.Range(1, id % 3).Select(n => new ProductImageState($"/{n}", "\u00fc \U0001F40E", n, 9))]));
    }

    /// <summary>A state of any form; its version is the next one.</summary>
    public LogEntry Product(ProductState state) => Add(
        Resource.Products.Name,
        EventTypes.ProductUpdated,
        state with { Version = NextVersion(Resource.Products.Name, state.Id) });

    public LogEntry User(int id, string first, string last) =>
        Add(Resource.Users.Name, EventTypes.UserUpdated, new UserState(
        id, $"user{id}@example.com", first, last, null, start, null, true, NextVersion(Resource.Users.Name, id)));

    public LogEntry Order(int id, int user, string status, params (int Product, int Quantity, decimal Price)[] items) =>
        Add(Resource.Orders.Name, EventTypes.OrderUpdated, new OrderState(
            id, user, start, status, items.Sum(item => item.Quantity * item.Price), "Street 1", null, null, null,
            [.. items.Select(ItemState)], [new OrderStatusState(status, start, "storefront")],
            NextVersion(Resource.Orders.Name, id)));

    private OrderItemState ItemState((int Product, int Quantity, decimal Price) item) => new(
        item.Product, names.GetValueOrDefault(item.Product), item.Quantity, item.Price, item.Quantity * item.Price);

    public LogEntry Review(int id, int product, int user, int rating) =>
        Add(Resource.Reviews.Name, EventTypes.ReviewUpdated,
        new ReviewState(id, product, user, rating, "Fine", start, false, NextVersion(Resource.Reviews.Name, id)));

    public LogEntry Delete(string resource, int id)
    {
        gone.Add((resource, id));
        return Add(resource, $"apexshop.{resource}.deleted", new DeletedState(id, NextVersion(resource, id)));
    }

    /// <summary>Removes the entries up to a position that a later one up to there replaces.</summary>
    public void Compact(long upTo)
    {
        var removed = Entries.Where(entry => entry.Position <= upTo)
            .GroupBy(entry => (entry.Resource, entry.AggregateId)).SelectMany(all => all.SkipLast(1)).ToHashSet();
        Entries.RemoveAll(removed.Contains);
        removedUpTo = Math.Max(removedUpTo, removed.Select(entry => entry.Position).DefaultIfEmpty().Max());
    }

    protected override async Task<HttpResponseMessage> SendAsync(
        HttpRequestMessage request, CancellationToken cancellationToken)
    {
        Requests++;
        if (!Available) throw new HttpRequestException("The log is unavailable.");

        var query = QueryHelpers.ParseQuery(request.RequestUri!.Query);
        foreach (var name in Ignores) query.Remove(name);
        var after = long.Parse(query["after"].ToString(), CultureInfo.InvariantCulture);
        var limit = int.Parse(query["limit"].ToString(), CultureInfo.InvariantCulture);
        if (query.ContainsKey("compacted") && !query.ContainsKey("aggregate")) PagesAfter.Add(after);
        if (query.TryGetValue("log", out var log) && log != LogId && after > CommonUpTo)
            return new HttpResponseMessage(HttpStatusCode.Gone);
        if (after < removedUpTo && !IncompleteParameters.Any(query.ContainsKey))
            return new HttpResponseMessage(HttpStatusCode.Gone);
        var head = Head;
        var body = new ArrayBufferWriter<byte>();
        var wanted = Wanted(query).Where(entry => entry.Position > after).Take(Math.Min(limit, MostEntries)).ToList();
        LargestAnswer = Math.Max(LargestAnswer, wanted.Count);
        foreach (var entry in wanted)
        {
            CloudEvents.Write(body, entry with { LogId = LogId });
            body.Write("\n"u8);
        }

        await BeforeAnswer();
        var answer = new HttpResponseMessage(
            HttpStatusCode.OK) { Content = new ByteArrayContent(body.WrittenSpan.ToArray()) };
        if (LogId is not null) answer.Headers.Add("Log-Id", LogId);
        answer.Headers.Add("Log-Head", head.ToString(CultureInfo.InvariantCulture));
        return answer;
    }

    private long Head => Entries.Count == 0 ? 0 : Entries[^1].Position;

    private IEnumerable<LogEntry> Wanted(Dictionary<string, StringValues> query)
    {
        var entries = query.TryGetValue("aggregate", out var aggregates)
            ? Entries.Where(entry => aggregates.Contains($"{entry.Resource}/{entry.AggregateId}"))
            : Entries.Where(entry => !query.ContainsKey("resource") || entry.Resource == query["resource"]);
        return query.ContainsKey("compacted")
            ? entries.GroupBy(entry => (entry.Resource, entry.AggregateId)).Select(all => all.Last()).OrderBy(
                entry => entry.Position)
            : entries;
    }
}
