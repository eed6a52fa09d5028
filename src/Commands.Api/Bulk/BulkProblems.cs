using System.Globalization;
using System.Text.Json;
using ApexShop.Commands.Api.Commands;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>Why a list as a whole is refused.</summary>
internal static class BulkProblems
{
    public static Problem Empty => Problem.Invalid("$", "Must not be an empty list.");

    public static Problem UnknownType => new(
        StatusCodes.Status415UnsupportedMediaType,
        "content_type.unsupported",
        "A list is a JSON array (application/json) or one item a line (application/x-ndjson), in UTF-8.");

    public static Problem TooMany(int limit) => new(
        StatusCodes.Status413PayloadTooLarge, "bulk.too_many", Text($"A list has at most {limit} items."))
    {
        Extensions = { ["limit"] = limit },
    };

    public static Problem ItemTooLarge(int index, int limit) => new(
        StatusCodes.Status413PayloadTooLarge, "bulk.item_too_large", Text($"Item [{index}] has more than {limit} bytes."));

    public static Problem Silent(int seconds) => new(
        StatusCodes.Status408RequestTimeout, "request.too_slow", Text($"Nothing arrived for {seconds} seconds."));

    public static Problem Malformed(JsonException json, long linesBefore) => new(
        StatusCodes.Status400BadRequest,
        "request.malformed",
        Text($"The body is not valid JSON: line {linesBefore + json.LineNumber + 1}, byte {json.BytePositionInLine + 1}."));

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
