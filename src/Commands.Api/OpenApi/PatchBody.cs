using System.Text.Json.Nodes;
using ApexShop.Commands.Api.Commands;

namespace ApexShop.Commands.Api.OpenApi;

/// <summary>
/// Describes the bodies of patches: the members of the PUT with the same path, none of them required.
/// </summary>
internal static class PatchBody
{
    private const string Description =
        "The members that change (JSON Merge Patch, RFC 7396); null removes an optional value, and keeps a stock "
        + "or a password. The result must be valid as the body of a PUT.";

    public static bool Is(JsonObject body) => body["content"]!.AsObject().ContainsKey(MergePatch.ContentType);

    public static void Complete(JsonObject paths, JsonObject schemas)
    {
        foreach (var operations in paths.Select(path => path.Value!.AsObject()))
        {
            if (operations["patch"] is not { } patch) continue;
            if (patch["requestBody"] is not JsonObject body || !Is(body)) continue;
            var whole = operations["put"]!["requestBody"]!["content"]!["application/json"]!["schema"]!["$ref"]!;
            var schema = schemas[((string)whole!).Split('/')[^1]]!.DeepClone().AsObject();
            schema.Remove("required");
            // A member that a patch leaves out keeps its value.
            foreach (var (_, member) in schema["properties"]!.AsObject()) member!.AsObject().Remove("default");
            body["description"] = Description;
            foreach (var (_, media) in body["content"]!.AsObject())
            {
                media!["schema"] = schema.DeepClone();
                media["example"] = Examples.Named((string)patch["operationId"]!);
            }
        }
    }
}
