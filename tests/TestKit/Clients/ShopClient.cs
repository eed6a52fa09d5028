using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;

namespace ApexShop.TestKit.Clients;

/// <summary>The result of a command: the aggregate's id and version, and its location.</summary>
public sealed record Written(int Id, long Version, Uri? Location);

/// <summary>A client of both APIs.</summary>
public sealed class ShopClient(Shop shop)
{
    public async Task<Written> CreateAsync(string resource, object body)
    {
        using var response = await shop.Commands.Http.PostAsJsonAsync($"/{resource}", body);
        return await WrittenAsync(response, HttpStatusCode.Created);
    }

    public async Task<Written> ReplaceAsync(string resource, int id, object body)
    {
        using var response = await shop.Commands.Http.PutAsJsonAsync($"/{resource}/{id}", body);
        return await WrittenAsync(response, HttpStatusCode.OK);
    }

    public async Task DeleteAsync(string resource, int id)
    {
        using var response = await shop.Commands.Http.DeleteAsync($"/{resource}/{id}");
        response.StatusCode.ShouldBe(HttpStatusCode.NoContent, await response.Content.ReadAsStringAsync());
    }

    /// <summary>The document as the query API serves it, or null where there is none.</summary>
    public async Task<JsonNode?> FindAsync(string resource, int id)
    {
        using var response = await shop.Queries.Http.GetAsync($"/{resource}/{id}");
        if (response.StatusCode == HttpStatusCode.NotFound) return null;
        response.StatusCode.ShouldBe(HttpStatusCode.OK);
        return await response.Content.ReadFromJsonAsync<JsonNode>();
    }

    /// <summary>Waits until the document exists and meets the condition.</summary>
    public async Task<JsonNode> SeesAsync(string resource, int id, Func<JsonNode, bool> condition)
    {
        JsonNode? document = null;
        try
        {
            await Eventually.Holds(
                async () => (document = await FindAsync(resource, id)) is not null && condition(document),
                $"{resource}/{id} is as expected");
        }
        catch (TimeoutException late)
        {
            throw new TimeoutException($"{late.Message}; it is {document?.ToJsonString() ?? "absent"}", late);
        }

        return document!;
    }

    /// <summary>Waits until the query API no longer has the document.</summary>
    public Task SeesNoneAsync(string resource, int id) =>
        Eventually.Holds(async () => await FindAsync(resource, id) is null, $"{resource}/{id} is gone");

    private static async Task<Written> WrittenAsync(HttpResponseMessage response, HttpStatusCode expected)
    {
        var text = await response.Content.ReadAsStringAsync();
        response.StatusCode.ShouldBe(expected, text);
        var body = JsonNode.Parse(text)!;
        var written = new Written((int)body["id"]!, (long)body["version"]!, response.Headers.Location);
        response.Headers.ETag!.Tag.ShouldBe($"\"{written.Version}\"");
        return written;
    }
}
