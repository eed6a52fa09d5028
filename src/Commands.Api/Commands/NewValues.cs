using System.Text.Json;

namespace ApexShop.Commands.Api.Commands;

/// <summary>The values that a row gets: the whole body of a PUT, or the members that a PATCH changes.</summary>
/// <param name="Whole">Null for a PATCH.</param>
/// <param name="Patch">A JSON Merge Patch (RFC 7396); null for a PUT.</param>
internal sealed record NewValues<T>(T? Whole, IReadOnlyDictionary<string, JsonElement>? Patch = null)
    where T : class
{
    public static implicit operator NewValues<T>(T whole) => new(whole);
}
