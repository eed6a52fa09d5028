using System.Text.Json.Nodes;
using ApexShop.TestKit;

namespace ApexShop.EndToEnd.Tests.Auditing;

/// <summary>An audit started over HTTP, as operators do it, and its result.</summary>
internal sealed class ShopAudit
{
    private ShopAudit(IReadOnlyList<JsonNode> lines) => Lines = lines;

    public IReadOnlyList<JsonNode> Lines { get; }

    public JsonNode Summary => Lines[^1];

    public long Different => (long)Summary["different"]!;

    public long NotCompared => (long)Summary["notCompared"]!;

    /// <summary>Each difference that the audit listed, as "resource/id what".</summary>
    public IReadOnlyList<string> Named => [.. Lines.Where(line => (string)line["kind"]! == "difference")
        .Select(line => $"{line["resource"]}/{line["id"]?.ToString() ?? $"segment {line["segment"]}"} {line["what"]}")];

    public static async Task<ShopAudit> RunAsync(Shop shop, bool repair = false, string? after = null)
    {
        var parameters = $"repair={(repair ? "true" : "false")}&after={after}";
        using var response = await shop.Commands.Http.PostAsync($"/admin/audit?{parameters}", null);
        var text = await response.Content.ReadAsStringAsync();
        response.IsSuccessStatusCode.ShouldBeTrue(text);
        response.Content.Headers.ContentType!.MediaType.ShouldBe("application/x-ndjson");
        var audit = new ShopAudit(
            [.. text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => JsonNode.Parse(line)!)]);
        ((string)audit.Summary["kind"]!).ShouldBe("summary", text);
        return audit;
    }
}
