using System.Diagnostics;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Products;
using ApexShop.Events;

namespace ApexShop.Load.WriteSide;

/// <summary>
/// POST /products/bulk with a thousand products against COPY of such rows and their outbox rows in one transaction.
/// </summary>
internal static class BulkRatio
{
    public const string Path = "/products/bulk";

    private const int Rows = 1000;
    private const int WarmUps = 15;
    private const int Pairs = 25;
    private const double Goal = 3;

    // Far above all ids that the shop assigns during the benchmark.
    private const int FirstId = 1_000_000_000;

    public static async Task<IReadOnlyList<Figure>> MeasureAsync(
        BenchShop shop, TextWriter progress, CancellationToken ct)
    {
        using var client = shop.Client(1);
        var categoryId = await Bodies.CreateCategoryAsync(client, ct);
        var body = Bodies.Json(Enumerable.Repeat(Bodies.Product(categoryId), Rows));
        var nextId = FirstId;
        var turns =
            new Turns(shop, CopyAsync, () => Bodies.TimeAsync(() => client.PostAsync(Path, Bodies.Content(body), ct)));
        await turns.WarmUpAsync(WarmUps);
        await turns.TakeAsync(Pairs, "ms", progress);
        return
        [
            Figure.OfRatio(
                $"POST {Path} of {Rows:N0}, time against COPY's", turns.Ratios, "at most 3.00", ratio => ratio <= Goal),
            Figure.Of($"POST {Path}", "ms", "0.0", turns.Command),
            Figure.Of("COPY", "ms", "0.0", turns.Plain),
        ];

        async Task<double> CopyAsync()
        {
            var states = Enumerable.Range(nextId, Rows).Select(id => State(id, categoryId)).ToList();
            nextId += Rows;
            var started = Stopwatch.GetTimestamp();
            await using var connection = await shop.Database.OpenConnectionAsync(ct);
            await using var transaction = await connection.BeginTransactionAsync(ct);
            using var copy = new CopyWriter(connection, TimeProvider.System);
            await copy.WriteAsync(ProductRows.Table, states, ct);
            await transaction.CommitAsync(ct);
            return Stopwatch.GetElapsedTime(started).TotalMilliseconds;
        }
    }

    private static ProductState State(int id, int categoryId) => new(
        id, Bodies.Name, Bodies.Description, Bodies.Price, Bodies.Stock, true, false, categoryId,
        DateTimeOffset.UnixEpoch, null, 1, null, null, []);
}
