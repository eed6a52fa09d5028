namespace ApexShop.Queries.Api.Caching;

/// <summary>How much had been heard when a read began, whether all that was said was heard, and when that was.</summary>
internal readonly record struct FenceMark(long Count, bool IsLive, long At);
