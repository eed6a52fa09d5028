using System.Reflection;
using System.Text.Json.Nodes;

namespace ApexShop.OpenApi;

/// <summary>
/// JSON files that are embedded in an assembly. <c>$(name)</c> in a file is replaced by a value from code.
/// </summary>
public static class EmbeddedJson
{
    /// <summary>Reads a file; a placeholder that has no value is an error.</summary>
    public static JsonObject Read(
        Assembly assembly, string file, params IEnumerable<(string Name, JsonNode Value)> values)
    {
        using var stream = assembly.GetManifestResourceStream(file) ?? throw new FileNotFoundException(
            $"{file} is not embedded.", file);
        using var reader = new StreamReader(stream);
        var text = reader.ReadToEnd();
        foreach (var (name, value) in values)
        {
            text = text.Replace($"\"$({name})\"", value.ToJsonString(), StringComparison.Ordinal)
                .Replace($"$({name})", value.ToString(), StringComparison.Ordinal);
        }

        if (text.Contains("$(", StringComparison.Ordinal))
            throw new InvalidDataException($"{file} has a placeholder without a value.");
        return JsonNode.Parse(text)!.AsObject();
    }

    /// <summary>
    /// Applies a JSON Merge Patch (RFC 7396): objects are merged, null removes a member, all else replaces it.
    /// </summary>
    public static void Patch(this JsonObject target, JsonObject patch)
    {
        foreach (var (name, value) in patch)
        {
            if (value is null)
            {
                target.Remove(name);
            }
            else if (value is JsonObject members)
            {
                if (target[name] is not JsonObject current) target[name] = current = [];
                current.Patch(members);
            }
            else
            {
                target[name] = value.DeepClone();
            }
        }
    }
}
