using System.Text.Json;
using Microsoft.AspNetCore.Http.Json;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Commands;

/// <summary>
/// Applies JSON Merge Patches (RFC 7396) to the current values of a row; the result must be valid as the body of a
/// PUT. The caller holds the lock of the row, so that no change is lost between reading and writing it.
/// </summary>
internal sealed class MergePatch(IServiceProvider services, IOptions<JsonOptions> json)
{
    public const string ContentType = "application/merge-patch+json";

    private JsonSerializerOptions Json => json.Value.SerializerOptions;

    /// <summary>The new values; those of a PUT were validated when the body was read.</summary>
    public async ValueTask<Result<T>> ApplyAsync<T>(NewValues<T> values, Func<T> current, CancellationToken ct)
        where T : class
    {
        if (values.Whole is { } whole) return whole;
        var merged = Merge(current(), values.Patch!);
        if (merged.Value is not { } body) return merged;
        var errors = new Dictionary<string, string[]>();
        await new AnnotationCheck<T>(services).ValidateAsync(body, "", errors.Add, ct);
        return errors.Count == 0 ? body : Problem.Invalid(errors);
    }

    // The members are values and a list, which is replaced whole. Null stays: a member that may not be null is refused,
    // and not reset to a default that the caller may not know.
    private Result<T> Merge<T>(T current, IReadOnlyList<PatchMember> patch)
        where T : class
    {
        var names = patch.Select(member => member.Name).ToHashSet(StringComparer.OrdinalIgnoreCase);
        if (names.Count < patch.Count) return Problem.Invalid("$", "A member occurs twice.");
        try
        {
            return JsonSerializer.Deserialize<T>(Text(current, patch, names), Json)!;
        }
        catch (JsonException mismatch)
        {
            return Problem.Invalid(JsonPath.OfJson(mismatch), "Unknown, or of the wrong type.");
        }
    }

    // The bytes of the patch are read as those of a PUT are: a text that is not UTF-8 is refused, not replaced.
    private byte[] Text<T>(T current, IReadOnlyList<PatchMember> patch, HashSet<string> names)
    {
        using var output = new MemoryStream();
        using (var writer = new Utf8JsonWriter(output))
        {
            writer.WriteStartObject();
            foreach (var member in JsonSerializer.SerializeToElement(current, Json).EnumerateObject())
            {
                if (!names.Contains(member.Name)) member.WriteTo(writer);
            }

            foreach (var (name, json) in patch)
            {
                writer.WritePropertyName(name);
                writer.WriteRawValue(json, skipInputValidation: true);
            }

            writer.WriteEndObject();
        }

        return output.ToArray();
    }
}
