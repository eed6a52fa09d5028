namespace ApexShop.Queries.Api.Caching;

/// <summary>The state of the fence when a read began.</summary>
/// <param name="Count">Messages that were received.</param>
/// <param name="IsLive">Whether every announcement was received.</param>
/// <param name="IsUpToDate">Whether Redis may be used; see <see cref="TagFence.IsUpToDate"/>.</param>
/// <param name="At">The response includes every change before this time.</param>
/// <param name="Taken">When the mark was taken.</param>
internal readonly record struct FenceMark(long Count, bool IsLive, bool IsUpToDate, long At, long Taken);
