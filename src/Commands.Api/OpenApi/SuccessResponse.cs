using System.Text.Json.Nodes;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Commands.Idempotency;
using ApexShop.Consistency;
using ApexShop.OpenApi;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>Completes the response of an operation that succeeded: its description, headers and examples.</summary>
internal static class SuccessResponse
{
    // The texts are by media type, and by status for all other media types.
    public static void Complete(Operation operation, string status, JsonObject texts)
    {
        var response = operation.Responses[status]!.AsObject();
        var content = response["content"] as JsonObject ?? [];
        var mediaType = content.Select(media => media.Key).FirstOrDefault() ?? "";
        response["description"] = (texts[mediaType] ?? texts[status])!.DeepClone();

        if (content["application/json"] is { } json)
        {
            var example = Examples.Of(json["schema"]!);
            // A changed row has at least its second version.
            if (operation.Method is "put" or "patch" && example?["version"] is not null) example["version"] = 2;
            json["example"] = example;
        }

        if (content[NdJson.ContentType] is { } lines) lines["example"] = Examples.LineOf(lines["schema"]!);
        var headers = ComponentReferences.ToHeaders(
            [.. Headers(operation, status, content), .. ProblemResponses.RateHeaders]);
        if (response["headers"] is JsonObject declared) declared.Patch(headers);
        else response["headers"] = headers;
    }

    private static IEnumerable<string> Headers(Operation operation, string status, JsonObject content)
    {
        var isSaved = (string?)content["application/json"]?["schema"]?["$ref"] == "#/components/schemas/Saved";
        if (isSaved) yield return "ETag";
        if (isSaved && status == "201") yield return "Location";
        if (status == "202") yield return "Location:StatusLocation";
        if (operation.IsCommand && !operation.IsStream) yield return ConsistencyToken.Header;
        if (operation.ReadsIdempotencyKey) yield return IdempotencyHeader.Replayed;
    }
}
