using System.Globalization;
using System.Text.Json;
using ApexShop.Commands.Api.Commands;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>Problems of a list as a whole.</summary>
internal static class BulkProblems
{
    public static Problem Empty => Problem.Invalid("$", "Must not be an empty list.");

    public static Problem NotAList => Problem.Invalid("$", "Must be a list.");

    public static Problem UnknownType => new(
        StatusCodes.Status415UnsupportedMediaType,
        "content_type.unsupported",
        "A list is a JSON array (application/json) or NDJSON with one item per line (application/x-ndjson), in UTF-8.");

    public static Problem TooMany(int limit) => new(
        StatusCodes.Status413PayloadTooLarge, "bulk.too_many", Text($"A list has at most {limit} items."))
    {
        Extensions = { ["limit"] = limit },
    };

    public static Problem ItemTooLarge(int index, int limit) => new(
        StatusCodes.Status413PayloadTooLarge,
        "bulk.item_too_large",
        Text($"Item [{index}] has more than {limit} bytes, with the separator and the white space around it."));

    public static Problem TooSlow(int seconds) => new(
        StatusCodes.Status408RequestTimeout, "request.too_slow", Text($"No data arrived for {seconds} seconds."));

    public static Problem Malformed(JsonException json, long linesBefore)
    {
        var (line, position) = (linesBefore + json.LineNumber + 1, json.BytePositionInLine + 1);
        var detail = Text($"The body is not valid JSON: line {line}, byte {position}.");
        return new(StatusCodes.Status400BadRequest, "request.malformed", detail);
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
