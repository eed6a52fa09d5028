using System.Runtime.InteropServices;
using System.Text.Json;

namespace ApexShop.Commands.Api.Commands;

/// <summary>The values that a row gets: the whole body of a PUT, or the members that a PATCH changes.</summary>
/// <param name="Whole">Null for a PATCH.</param>
/// <param name="Patch">The members of a JSON Merge Patch (RFC 7396); null for a PUT.</param>
internal sealed record NewValues<T>(T? Whole, IReadOnlyList<PatchMember>? Patch = null)
    where T : class
{
    public NewValues(Dictionary<string, JsonElement> patch)
        : this(null, [.. patch.Select(member => PatchMember.Of(member.Key, member.Value))])
    {
    }

    public static implicit operator NewValues<T>(T whole) => new(whole);
}

/// <summary>A member of a patch with its JSON as it was sent: texts in it may not be valid yet.</summary>
internal sealed record PatchMember(string Name, byte[] Json)
{
    public static PatchMember Of(string name, JsonElement value) =>
        new(name, JsonMarshal.GetRawUtf8Value(value).ToArray());
}
