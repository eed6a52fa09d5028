using System.Text.Json.Serialization.Metadata;
using ApexShop.Commands.Api.Results;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>Names of schemas: a slice's body is called like the slice, what else stands in it has the slice's name before its own.</summary>
internal static class SchemaNames
{
    public static string? Of(JsonTypeInfo type)
    {
        // Text to a caller, whatever it is inside.
        if (type.Type == typeof(ExpectedVersion)) return null;
        if (type.Type == typeof(ProblemDetails)) return ApiDocument.Problem;
        var plain = Nullable.GetUnderlyingType(type.Type) ?? type.Type;
        return plain.IsNested ? Of(plain) : OpenApiOptions.CreateDefaultSchemaReferenceId(type);
    }

    public static string Of(Type type) => type switch
    {
        { DeclaringType: null } => type.Name,
        { Name: "Body" } => type.DeclaringType.Name,
        _ => type.DeclaringType.Name + type.Name,
    };
}
