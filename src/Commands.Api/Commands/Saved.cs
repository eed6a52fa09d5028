namespace ApexShop.Commands.Api.Commands;

/// <summary>The answer of a create or replace: what was saved and its version, which is the ETag too.</summary>
internal sealed record Saved(int Id, long Version);
