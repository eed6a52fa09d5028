using System.ComponentModel.DataAnnotations;
using System.Globalization;
using System.Reflection;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Commands.Validation;
using ApexShop.Commands.Api.Users;
using ApexShop.Commands.Api.Webhooks;
using ApexShop.Events;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>
/// Turns the validation attributes of an input into limits of its schema. They are on the parameters of records, which
/// the framework does not read; an inherited one is on the record that declares it. An unknown attribute is an error,
/// so that no limit is left out silently.
/// </summary>
internal sealed class InputLimits(SliceComments comments) : IOpenApiSchemaTransformer
{
    // What the framework's own check accepts: digits, spaces and -.()+, then perhaps an extension.
    private const string PhonePattern = @"^[\d\s().+-]*\d[\d\s().+-]*((ext\.?|x)\s*\d+)?\s*$";

    // The rules of SingleLineAttribute and MultilineAttribute.
    private const string LinePattern = @"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$";
    private const string ProsePattern = @"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$";

    private static OpenApiSchema EventTypeName =>
        new() { Type = JsonSchemaType.String, Enum = Values(EventTypes.All.Select(type => type.Name)) };

    public Task TransformAsync(OpenApiSchema schema, OpenApiSchemaTransformerContext context, CancellationToken ct)
    {
        if (context.JsonPropertyInfo is { } property)
        {
            if ((Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType) == typeof(decimal))
                SetMoney(schema);
            foreach (var rule in Attributes<ValidationAttribute>(property)) Apply(schema, rule, property);
            // A member that is left out when it is null is never null.
            if (Attributes<JsonIgnoreAttribute>(property)
                .Any(one => one.Condition == JsonIgnoreCondition.WhenWritingNull))
                schema.Type &= ~JsonSchemaType.Null;
        }
        else if (context.JsonTypeInfo.Type is { DeclaringType: { } input })
        {
            // The comment of a slice describes its operation, except that of an input.
            schema.Description = comments.Of(context.JsonTypeInfo.Type)
                ?? (input.Name.EndsWith("Input", StringComparison.Ordinal) ? comments.Of(input) : null);
        }

        return Task.CompletedTask;
    }

    private static IEnumerable<T> Attributes<T>(JsonPropertyInfo property) =>
        property.AttributeProvider is not PropertyInfo declared
            ? []
            : declared.GetCustomAttributes(typeof(T), inherit: true)
            .Concat(declared.DeclaringType!.GetConstructors().SelectMany(constructor => constructor.GetParameters())
                .Where(parameter => parameter.Name == declared.Name)
                .SelectMany(parameter => parameter.GetCustomAttributes(typeof(T), inherit: true)))
            .Cast<T>();

    private static void Apply(OpenApiSchema schema, ValidationAttribute rule, JsonPropertyInfo property)
    {
        switch (rule)
        {
            case RequiredAttribute: Require(schema); break;
            case SingleLineAttribute line: Bound(schema, line); Match(schema, LinePattern); break;
            case MultilineAttribute prose: Bound(schema, prose); Match(schema, ProsePattern); break;
            case StringLengthAttribute length: Bound(schema, length); break;
            case LengthAttribute length:
                (schema.MinItems, schema.MaxItems) = (length.MinimumLength, length.MaximumLength);
                break;
            case RangeAttribute range:
                (schema.Minimum, schema.Maximum) = (Text(range.Minimum), Text(range.Maximum));
                break;
            case MoneyAttribute: (schema.Minimum, schema.Maximum) = ("0", Text(MoneyAttribute.Max)); break;
            case AllowedValuesAttribute allowed:
                (schema.Enum, schema.Pattern, schema.MinLength) = (Values(allowed.Values), null, null);
                break;
            case DeniedValuesAttribute denied: schema.Not = new OpenApiSchema { Enum = Values(denied.Values) }; break;
            case TextFormAttribute form:
                (schema.MinLength, schema.MaxLength) = (1, form.Max);
                Match(schema, form.Pattern);
                break;
            case RegularExpressionAttribute expression: Match(schema, expression.Pattern); break;
            case PhoneAttribute: Match(schema, PhonePattern); break;
            case EventTypeNamesAttribute: schema.Items = EventTypeName; break;
            // In a schema, the items of a list are not null by default. A reserved domain is none of its patterns, and
            // patterns of Unicode's categories are not known everywhere.
            case NoNullsAttribute or NotErasedAttribute or VisibleAttribute: break;
            default: throw new InvalidOperationException(
                $"{property.Name} has {rule.GetType().Name}, which the OpenAPI document cannot describe.");
        }
    }

    // Not multipleOf: with floating point, 19.99 is not a multiple of 0.01. The converter hides the type from the
    // framework.
    private static void SetMoney(OpenApiSchema schema) =>
        (schema.Type, schema.Format, schema.Description) = (JsonSchemaType.Number, null, "At most two decimals.");

    // A required text has a character that is not whitespace.
    private static void Require(OpenApiSchema schema)
    {
        schema.Type &= ~JsonSchemaType.Null;
        if (schema.Type != JsonSchemaType.String) return;
        schema.MinLength = Math.Max(schema.MinLength ?? 0, 1);
        Match(schema, @"\S");
    }

    private static void Bound(OpenApiSchema schema, StringLengthAttribute length)
    {
        schema.MaxLength = length.MaximumLength;
        if (length.MinimumLength > 0) schema.MinLength = length.MinimumLength;
    }

    // A schema has one pattern; each further pattern is a schema in allOf.
    private static void Match(OpenApiSchema schema, string pattern)
    {
        if (schema.Pattern is null) schema.Pattern = pattern;
        else (schema.AllOf ??= []).Add(new OpenApiSchema { Pattern = pattern });
    }

    private static List<JsonNode> Values(IEnumerable<object?> values) =>
        [.. values.Select(value => JsonSerializer.SerializeToNode(value)!)];

    private static string Text(object number) => Convert.ToString(number, CultureInfo.InvariantCulture)!;
}
