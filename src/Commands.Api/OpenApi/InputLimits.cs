using System.ComponentModel.DataAnnotations;
using System.Globalization;
using System.Reflection;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Commands.Api.Pipeline;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>
/// The annotations of an input as limits of its schema. They stand on the parameters of records, where the framework
/// does not look. One that is not known here ends the request for the document: no limit is left out silently.
/// </summary>
internal sealed class InputLimits(SliceComments comments) : IOpenApiSchemaTransformer
{
    // What the framework's own check lets through: digits, blanks and -.()+, then perhaps an extension.
    private const string PhonePattern = @"^[\d\s().+-]*\d[\d\s().+-]*((ext\.?|x)\s*\d+)?\s*$";

    public Task TransformAsync(OpenApiSchema schema, OpenApiSchemaTransformerContext context, CancellationToken ct)
    {
        if (context.JsonPropertyInfo is { } property)
        {
            foreach (var rule in Attributes<ValidationAttribute>(property)) Apply(schema, rule, property);
            if ((Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType) == typeof(decimal)) (schema.Format, schema.MultipleOf) = (null, 0.01m);
            // What is not written is not null either.
            if (Attributes<JsonIgnoreAttribute>(property).Any(ignore => ignore.Condition == JsonIgnoreCondition.WhenWritingNull)) schema.Type &= ~JsonSchemaType.Null;
        }
        else if (context.JsonTypeInfo.Type is { Name: "Body", DeclaringType: { } input })
        {
            // The comment of a slice is about its operation.
            schema.Description = input.Name.EndsWith("Input", StringComparison.Ordinal) ? comments.Of(input) : null;
        }

        return Task.CompletedTask;
    }

    private static IEnumerable<T> Attributes<T>(JsonPropertyInfo property) =>
        ((ICustomAttributeProvider?[])[property.AttributeProvider, property.AssociatedParameter?.AttributeProvider])
        .OfType<ICustomAttributeProvider>()
        .SelectMany(provider => provider.GetCustomAttributes(typeof(T), inherit: true))
        .Cast<T>();

    private static void Apply(OpenApiSchema schema, ValidationAttribute rule, JsonPropertyInfo property)
    {
        switch (rule)
        {
            case RequiredAttribute: Require(schema); break;
            case StringLengthAttribute length: (schema.MinLength, schema.MaxLength) = (Longer(schema.MinLength, length.MinimumLength), length.MaximumLength); break;
            case LengthAttribute length: (schema.MinItems, schema.MaxItems) = (length.MinimumLength, length.MaximumLength); break;
            case RangeAttribute range: (schema.Minimum, schema.Maximum) = (Text(range.Minimum), Text(range.Maximum)); break;
            case MoneyAttribute: (schema.Minimum, schema.Maximum) = ("0", Text(MoneyAttribute.Max)); break;
            case AllowedValuesAttribute allowed: schema.Enum = [.. allowed.Values.Select(value => (System.Text.Json.Nodes.JsonNode)$"{value}")]; break;
            case RegularExpressionAttribute expression: schema.Pattern = expression.Pattern; break;
            case PhoneAttribute: schema.Pattern = PhonePattern; break;
            // Elements of a list are never null in a schema that does not say so.
            case NoNullsAttribute: break;
            default: throw new InvalidOperationException($"{property.Name} has {rule.GetType().Name}, which the API's description does not know.");
        }
    }

    // A required text has a character that is no blank.
    private static void Require(OpenApiSchema schema)
    {
        schema.Type &= ~JsonSchemaType.Null;
        if (schema.Type != JsonSchemaType.String) return;
        schema.MinLength = Longer(schema.MinLength, 1);
        schema.Pattern ??= @"\S";
    }

    private static int? Longer(int? known, int length) => Math.Max(known ?? 0, length) is > 0 and var longer ? longer : null;

    private static string Text(object number) => Convert.ToString(number, CultureInfo.InvariantCulture)!;
}
