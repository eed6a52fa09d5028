using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.TestKit;

namespace ApexShop.EndToEnd.Tests.Rebuilding;

/// <summary>Rebuilds over HTTP, as an operator starts them.</summary>
internal static class Rebuilds
{
    /// <summary>Starts a rebuild, waits for its end and returns its status.</summary>
    public static async Task<JsonNode> RebuildAsync(this Shop shop)
    {
        using var begun = await shop.Commands.Http.PostAsync("/admin/projections/rebuild", null);
        begun.StatusCode.ShouldBe(HttpStatusCode.Accepted, await begun.Content.ReadAsStringAsync());
        begun.Headers.Location!.ToString().ShouldBe("/admin/projections/rebuild");
        return await shop.RebuiltAsync();
    }

    /// <summary>Waits until no rebuild runs.</summary>
    public static async Task<JsonNode> RebuiltAsync(this Shop shop)
    {
        JsonNode? status = null;
        await Eventually.Holds(
            async () =>
            {
                status = await shop.Commands.Http.GetFromJsonAsync<JsonNode>("/admin/projections/rebuild");
                return (string)status!["state"]! != "running";
            },
            "the rebuild ends",
            TimeSpan.FromMinutes(3));
        return status!;
    }

    public static void ShouldBeDone(this JsonNode status)
    {
        ((string?)status["failure"]).ShouldBeNull();
        ((string)status["state"]!).ShouldBe("done");
    }

    public static async Task<long> EpochAsync(this Shop shop) =>
        (long)(await shop.Commands.Http.GetFromJsonAsync<JsonNode>("/admin/projection"))!["epoch"]!;
}
