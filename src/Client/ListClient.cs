namespace ApexShop.Client;

/// <summary>A resource with commands over lists of at most 1,000 items, executed as a whole or not at all.</summary>
public abstract class ListClient<TDocument, TQuery, TInput, TReplacement>
    : ResourceClient<TDocument, TQuery, TInput, TReplacement>
    where TDocument : class
    where TQuery : class
{
    // Whether lists that are created or replaced take long.
    private readonly bool isLong;

    internal ListClient(ShopConnection shop, string name, bool isLong = false) : base(shop, name) =>
        this.isLong = isLong;

    internal string Bulk => $"{Name}/bulk";

    public Task<BulkCreated> CreateManyAsync(
        IReadOnlyList<TInput> items, string? idempotencyKey = null, CancellationToken cancellationToken = default) =>
        Shop.WriteAsync<IReadOnlyList<TInput>, BulkCreated>(
            HttpMethod.Post, Bulk, items, cancellationToken, idempotencyKey: idempotencyKey ?? NewKey(),
            isLong: isLong);

    public Task<RemovedRows> DeleteManyAsync(
        IReadOnlyList<int> ids, CancellationToken cancellationToken = default) =>
        Shop.WriteAsync<IReadOnlyList<int>, RemovedRows>(HttpMethod.Delete, Bulk, ids, cancellationToken);

    internal Task<BulkReplaced> ReplaceAllAsync<TItem>(IReadOnlyList<TItem> items, CancellationToken ct) =>
        Shop.WriteAsync<IReadOnlyList<TItem>, BulkReplaced>(HttpMethod.Put, Bulk, items, ct, isLong: isLong);
}
