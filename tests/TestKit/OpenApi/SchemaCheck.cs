using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

namespace ApexShop.TestKit.OpenApi;

/// <summary>
/// Holds a value to a schema of the description. A keyword that it does not know is an error of its own, so that no
/// limit is passed over; a member that no schema names is one too, even where a schema would let it through.
/// </summary>
public sealed class SchemaCheck(ApiDescription description)
{
    private static readonly HashSet<string> words =
    [
        "type", "format", "enum", "required", "properties", "additionalProperties", "items", "minItems", "maxItems",
        "minLength", "maxLength", "pattern",
        "minimum", "maximum", "multipleOf", "allOf", "anyOf", "oneOf", "not", "$ref", "description", "default",
        "title", "examples",
    ];

    public IReadOnlyList<string> Errors(JsonNode schema, JsonNode? value) => [.. Check(schema, value, "$")];

    private IEnumerable<string> Check(JsonNode node, JsonNode? value, string path)
    {
        var schema = description.Resolve(node);
        var errors = schema.Select(member => member.Key).Except(words)
            .Select(word => $"{path}: the schema says '{word}'")
            .Concat(OfType(schema, value, path)).Concat(Combined(schema, value, path));
        return value switch
        {
            JsonObject members => errors.Concat(OfObject(schema, members, path)),
            JsonArray items => errors.Concat(OfArray(schema, items, path)),
            JsonValue scalar when scalar.GetValueKind() == JsonValueKind.String =>
                errors.Concat(OfText(schema, (string)scalar!, path)),
            JsonValue scalar when scalar.GetValueKind() == JsonValueKind.Number =>
                errors.Concat(OfNumber(schema, scalar, path)),
            _ => errors,
        };
    }

    private static IEnumerable<string> OfType(JsonObject schema, JsonNode? value, string path)
    {
        var types = schema["type"] is JsonArray several
            ? several.Select(type => (string)type!).ToList() : schema["type"] is { } one ? [(string)one!]
            : [];
        var kind = value?.GetValueKind() ?? JsonValueKind.Null;
        var isInteger = kind == JsonValueKind.Number && decimal.IsInteger(Number(value!));
        string[] fits = kind switch
        {
            JsonValueKind.Null => ["null"],
            JsonValueKind.Object => ["object"],
            JsonValueKind.Array => ["array"],
            JsonValueKind.String => ["string"],
            JsonValueKind.Number => isInteger ? ["integer", "number"] : ["number"],
            _ => ["boolean"],
        };
        if (types.Count > 0 && !types.Intersect(fits).Any())
            yield return $"{path} is no {string.Join(" or ", types)} but {value?.ToJsonString() ?? "null"}";
        if (schema["enum"] is JsonArray values && !values.Any(allowed => JsonNode.DeepEquals(allowed, value)))
            yield return $"{path} is none of {values.ToJsonString()} but {value?.ToJsonString()}";
    }

    private IEnumerable<string> Combined(JsonObject schema, JsonNode? value, string path)
    {
        foreach (var part in (JsonArray?)schema["allOf"] ?? [])
            foreach (var error in Check(part!, value, path)) yield return error;
        if (schema["anyOf"] is JsonArray any && any.All(part => Check(part!, value, path).Any()))
            yield return $"{path} fits none of anyOf";
        if (schema["oneOf"] is JsonArray one && one.Count(part => !Check(part!, value, path).Any()) != 1)
            yield return $"{path} does not fit exactly one of oneOf";
        if (schema["not"] is { } not && !Check(not, value, path).Any()) yield return $"{path} is what it must not be";
    }

    private IEnumerable<string> OfObject(JsonObject schema, JsonObject members, string path)
    {
        var required = ((JsonArray?)schema["required"] ?? []).Select(name => (string)name!);
        foreach (var name in required.Where(name => !members.ContainsKey(name)))
            yield return $"{path} lacks {name}";
        var known = (JsonObject?)schema["properties"] ?? [];
        foreach (var (name, member) in members)
        {
            var its = known[name] ?? schema["additionalProperties"] as JsonObject;
            if (its is not null) foreach (var error in Check(its, member, $"{path}.{name}")) yield return error;
            else if (schema.ContainsKey("properties")) yield return $"{path} has {name}, which nothing describes";
        }
    }

    private IEnumerable<string> OfArray(JsonObject schema, JsonArray items, string path)
    {
        if (items.Count < ((int?)schema["minItems"] ?? 0) || items.Count > ((int?)schema["maxItems"] ?? int.MaxValue))
            yield return $"{path} has {items.Count} items";
        if (schema["items"] is not { } item) yield break;
        for (var i = 0; i < items.Count; i++)
            foreach (var error in Check(item, items[i], $"{path}[{i}]")) yield return error;
    }

    private static IEnumerable<string> OfText(JsonObject schema, string text, string path)
    {
        if (text.Length < ((int?)schema["minLength"] ?? 0) || text.Length > ((int?)schema["maxLength"] ?? int.MaxValue))
            yield return $"{path} has {text.Length} characters";
        if ((string?)schema["pattern"] is { } pattern && !Regex.IsMatch(text, pattern, RegexOptions.ECMAScript))
            yield return $"{path} does not match {pattern}: {text}";
        var fits = (string?)schema["format"] switch
        {
            null => true,
            "uuid" => Guid.TryParseExact(text, "D", out _),
            "date-time" => text.EndsWith('Z') && DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, out _),
            _ => false,
        };
        if (!fits) yield return $"{path} is no {schema["format"]}: {text}";
    }

    private static IEnumerable<string> OfNumber(JsonObject schema, JsonValue value, string path)
    {
        var number = Number(value);
        if (schema["minimum"] is { } minimum && number < Number(minimum)) yield return $"{path} is less than {minimum}";
        if (schema["maximum"] is { } maximum && number > Number(maximum)) yield return $"{path} is more than {maximum}";
        if (schema["multipleOf"] is { } step && number % Number(step) != 0)
            yield return $"{path} is no multiple of {step}";
        var fits = (string?)schema["format"] switch
        {
            null or "double" => true,
            "int32" => decimal.IsInteger(number) && number is >= int.MinValue and <= int.MaxValue,
            "int64" => decimal.IsInteger(number) && number is >= long.MinValue and <= long.MaxValue,
            _ => false,
        };
        if (!fits) yield return $"{path} is no {schema["format"]}: {number}";
    }

    private static decimal Number(JsonNode value) =>
        decimal.Parse(value.ToJsonString(), NumberStyles.Float, CultureInfo.InvariantCulture);
}
