using System.Text.Json.Serialization.Metadata;
using ApexShop.Commands.Api.Commands;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>
/// Names of schemas: the body of a slice has the name of the slice; any other type in a slice has the slice's name
/// before its own.
/// </summary>
internal static class SchemaNames
{
    public static string? Of(JsonTypeInfo type)
    {
        // A header, which is text for the caller.
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
