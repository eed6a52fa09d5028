using ApexShop.Commands.Api.Commands.Idempotency;
using Microsoft.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>
/// What parameters mean, by their name; the same name means the same everywhere. The optional headers have no example:
/// the page would send it unasked.
/// </summary>
internal static class ParameterTexts
{
    private const string IfMatch = "If-Match";

    private static readonly Dictionary<string, string> texts = new(StringComparer.Ordinal)
    {
        ["id"] = "Id of the resource.",
        ["productId"] = "Id of the product.",
        ["from"] = "Number of the first bucket: its first id divided by 500.",
        ["bucket"] = "Number of the bucket: its first id divided by 500.",
        ["repair"] = "Whether what differs is to be put right.",
        ["olderThanDays"] = "Days since then, at least.",
        ["inactiveDays"] = "Days without a login, at least.",
        ["resource"] = "One of products, categories, orders, reviews and users.",
        ["dryRun"] = "Tells what would happen, and changes nothing.",
        ["after"] = "The `next` of the answer before; what comes after it is answered.",
        ["limit"] = "Items of an answer at most.",
        [IfMatch] = "The version that must be the current one, as the ETag of an earlier answer gave it, such as `\"3\"`; `*` for any. Another version is refused with 412.",
        [IdempotencyHeader.Name] = "Any text of your own for this request, such as a UUID. Makes it safe to send the request again: the first answer is kept for 24 hours and given again.",
    };

    public static void Describe(OpenApiParameter parameter)
    {
        parameter.Description ??= texts.GetValueOrDefault(parameter.Name!);
        if (parameter.Name != IfMatch) return;
        parameter.Schema = new OpenApiSchema { Type = JsonSchemaType.String };
    }

    public static OpenApiParameter IdempotencyKey() => new()
    {
        Name = IdempotencyHeader.Name,
        In = ParameterLocation.Header,
        Schema = new OpenApiSchema { Type = JsonSchemaType.String, MinLength = 1, MaxLength = IdempotencyHeader.MaxLength, Pattern = "^[!-~]+$" },
    };
}
