using System.Text.Json.Serialization.Metadata;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>Names of schemas: a slice's body is called like the slice, what else stands in it has the slice's name before its own.</summary>
internal static class SchemaNames
{
    public static string? Of(JsonTypeInfo type)
    {
        if (type.Type == typeof(ProblemDetails)) return ProblemSchema.Name;
        var plain = Nullable.GetUnderlyingType(type.Type) ?? type.Type;
        return plain.DeclaringType is { } slice
            ? slice.Name + (plain.Name == "Body" ? "" : plain.Name)
            : OpenApiOptions.CreateDefaultSchemaReferenceId(type);
    }
}
