using System.Text.Json;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Checks;

/// <summary>
/// Whether the reason of a refusal can have been true at some moment of its request. A reason that the log does not
/// show, such as a lock, is not judged.
/// </summary>
internal sealed class RefusalCheck
{
    private static readonly Dictionary<string, string> resourceOf = Kinds.All.ToDictionary(
        resource => resource == Kinds.Categories ? "category" : resource[..^1]);

    private readonly History history;
    private readonly RefusalReferences references;
    private readonly Dictionary<(string Key, long Body), long> firstStarts;
    private readonly ILookup<string, Attempt> byKey;

    private RefusalCheck(History history)
    {
        this.history = history;
        references = new(history);
        firstStarts = history.Units.Where(unit => unit.First.Key is not null)
            .ToDictionary(unit => (unit.First.Key!, unit.First.Body), unit => unit.First.Start);
        byKey = history.Writes.Where(attempt => attempt.Key is not null).ToLookup(attempt => attempt.Key!);
    }

    public static IEnumerable<string> Find(History history) =>
        from one in Of(history)
        where one.CanBe is false
        select $"{one.Refused} was refused with {one.Refused.Code}, which cannot have been so";

    /// <summary>How many refusals of commands there are, and of how many the reason is judged.</summary>
    public static (int All, int Judged) Count(History history)
    {
        var all = Of(history);
        return (all.Count, all.Count(one => one.CanBe is not null));
    }

    private static List<(Attempt Refused, bool? CanBe)> Of(History history)
    {
        var check = new RefusalCheck(history);
        return
        [
            .. history.Writes.Where(attempt => attempt is { Outcome: Outcome.Refused, Code: not null })
                .Select(attempt => (attempt, check.CanBe(attempt))),
        ];
    }

    private bool? CanBe(Attempt refused)
    {
        // A stored answer may be that of any attempt with the key.
        var from = refused.Replayed
            ? firstStarts.GetValueOrDefault((refused.Key ?? "", refused.Body), long.MinValue)
            : refused.Start;
        var state = new StateQuery(history.Times, from, refused.End);
        var code = refused.Code!;
        return code switch
        {
            "idempotency.key_reused" => byKey[refused.Key!].Any(other => other.Body != refused.Body),
            "idempotency.in_progress" =>
                byKey[refused.Key!].Any(other => other.Trace != refused.Trace && other.Start <= refused.End),
            "version.mismatch" => IsOtherVersion(refused, state),
            "access.customer_inactive" => state.Any(
                Kinds.Users, refused.Customer!.Value, user => user is not { IsActive: true }),
            _ when code.EndsWith(".not_found", StringComparison.Ordinal) => IsAbsent(refused, code, state),
            _ => OfItems(refused, code, state),
        };
    }

    private static bool? IsAbsent(Attempt refused, string code, StateQuery state)
    {
        if (!resourceOf.TryGetValue(code.Split('.')[0], out var resource)) return null;
        if (History.OperationOf(refused).Effect == Effect.Select)
            return state.IsAbsent(resource, Selection.Of(refused).Key);
        return resource == History.OperationOf(refused).Resource
            ? refused.Asked.Any(id => state.IsAbsent(resource, id))
            : null;
    }

    // The response names the version that is current instead, of a single aggregate.
    private static bool? IsOtherVersion(Attempt refused, StateQuery state)
    {
        var resource = History.OperationOf(refused).Resource;
        if (refused.IfMatch is { } expected)
        {
            return state.AnyVersion(resource, refused.Asked[0], version => refused.Current is { } current
                ? version == current && version != expected
                : version != expected);
        }

        return refused.Sent is null || History.OperationOf(refused).Effect != Effect.BulkReplace
            ? null
            : ItemsOf(refused).Exists(item => item.TryGetProperty("version", out var named)
                && named.ValueKind == JsonValueKind.Number
                && state.AnyVersion(
                    resource, item.GetProperty("id").GetInt32(), version => version != named.GetInt64()));
    }

    private bool? OfItems(Attempt refused, string code, StateQuery state)
    {
        var resource = History.OperationOf(refused).Resource;
        bool Asked(Func<AggregateState?, bool> condition) =>
            refused.Asked.Any(id => state.Any(resource, id, condition));
        bool AskedHas(TimeSpans<(string, int)> spans) =>
            refused.Asked.Any(id => spans.AnyIn((resource, id), state.From, state.Until));
        bool Sent(Func<JsonElement, bool> condition) => ItemsOf(refused).Exists(item => condition(item));
        return code switch
        {
            "product.stock_below_zero" when refused.Asked.Count > 0 =>
                Asked(product => product is null || product.Stock + (long)(refused.Delta ?? 0) < 0),
            "stock.version_required" => Asked(product => product is null || product.Stock != refused.Stock),
            "order.status_refused" => Asked(order => order is null
                || !OrderCheck.MayBecome(order.Status, ItemsOf(refused)[0].GetProperty("status").GetString()!)),
            "order.closed" => Asked(order => order is null or { Status: "Delivered" or "Cancelled" }),
            "user.erased" when resource == Kinds.Reviews => Sent(item => state.Any(
                Kinds.Users, item.GetProperty("userId").GetInt32(), user => user is null or { IsErased: true })),
            "user.erased" => Asked(user => user is null or { IsErased: true }),
            "product.sold" or "user.has_orders" or "category.has_products" => AskedHas(references.Uses),
            "user.has_open_orders" => AskedHas(references.OpenOrders),
            "user.email_taken" => Sent(item => references.MayHave("email", item, state)),
            "product.slug_taken" => Sent(item => references.MayHave("slug", item, state)),
            "review.exists" => Sent(item => references.MayExist(item, state)),
            "product.category_unknown" => Sent(item => state.IsAbsent(Kinds.Categories, item, "categoryId")),
            "order.user_unknown" or "review.user_unknown" =>
                Sent(item => state.IsAbsent(Kinds.Users, item, "userId")),
            "review.product_unknown" => Sent(item => state.IsAbsent(Kinds.Products, item, "productId")),
            "order.user_inactive" => Sent(item => state.Any(
                Kinds.Users, item.GetProperty("userId").GetInt32(), user => user is not { IsActive: true })),
            "product.unknown" => LinesOf(refused).Exists(line => state.IsAbsent(Kinds.Products, line.ProductId)),
            "product.inactive" => LinesOf(refused).Exists(line => state.Any(
                Kinds.Products, line.ProductId, product => product is not { IsActive: true })),
            "product.sold_out" => LinesOf(refused).Exists(line => state.Any(
                Kinds.Products, line.ProductId, product => product is null || product.Stock < line.Quantity)),
            _ => null,
        };
    }

    private static List<JsonElement> ItemsOf(Attempt attempt)
    {
        if (attempt.Sent is null) return [];
        var body = JsonElement.Parse(attempt.Sent);
        return body.ValueKind == JsonValueKind.Array ? [.. body.EnumerateArray()] : [body];
    }

    private static List<Line> LinesOf(Attempt attempt) => ItemsOf(attempt) is [var body]
        ? [.. StateReader.With(AggregateState.None, body).Lines]
        : [];
}
