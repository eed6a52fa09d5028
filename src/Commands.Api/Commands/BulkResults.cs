namespace ApexShop.Commands.Api.Commands;

/// <summary>The answer of a bulk create: the new ids, in the order of the items.</summary>
internal sealed record BulkCreated(int Count, IReadOnlyList<int> Ids);

/// <summary>The answer of a bulk replace: the new versions, in the order of the items.</summary>
internal sealed record BulkReplaced(int Count, IReadOnlyList<Saved> Items);
