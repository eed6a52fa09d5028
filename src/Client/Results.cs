namespace ApexShop.Client;

/// <summary>The id and the version of what was created or changed.</summary>
public sealed record Saved(int Id, long Version);

/// <summary>The new ids, in the order of the items.</summary>
public sealed record BulkCreated(int Count, IReadOnlyList<int> Ids);

/// <summary>The new versions, in the order of the items.</summary>
public sealed record BulkReplaced(int Count, IReadOnlyList<Saved> Items);

/// <summary>How many were deleted, and the ids that do not exist.</summary>
public sealed record RemovedRows(int Deleted, IReadOnlyList<int> NotFound);

/// <summary>How many a command changed.</summary>
public sealed record ChangedRows(int Changed);

/// <summary>How many a command deleted.</summary>
public sealed record DeletedRows(int Deleted);

/// <summary>
/// A part of a long list that is replaced: a transaction of its own, which either has the new versions or a problem.
/// It begins with the item at index <paramref name="First"/> of the list.
/// </summary>
public sealed record ReplacedChunk(int First, int Count, IReadOnlyList<Saved>? Items, ShopProblem? Problem)
{
    // What the shop did not read of a list because of this chunk's problem.
    internal ReplacedChunk? NotRead(int end) =>
        Problem is null || First + Count == end ? null : new(First + Count, end - First - Count, null, Problem);
}

/// <summary>A customer's token, valid until a time; see <see cref="ShopClient.SignInAsync"/>.</summary>
public sealed record CustomerToken(string Token, DateTimeOffset ExpiresAt, int CustomerId)
{
    /// <summary>Without the token, which must not be in a log.</summary>
    public override string ToString() => $"{nameof(CustomerToken)} of customer {CustomerId}";
}

// The three kinds of lines in the response to PUT /products/bulk.
internal sealed record ChunkLine(
    int Chunk, int First, int Count, IReadOnlyList<Saved>? Items, string? ConsistencyToken, ShopProblem? Problem,
    bool Done, int Updated, int Failed);
