using System.Globalization;
using System.Net.Http.Json;
using System.Text.Json.Nodes;

namespace ApexShop.Faults.Tests;

internal static class Requests
{
    /// <summary>Replaces an aggregate through one process and returns its version.</summary>
    public static async Task<long> ReplaceAsync(this ShopProcess commands, string resource, int id, object body)
    {
        var path = string.Create(CultureInfo.InvariantCulture, $"/{resource}/{id}");
        using var response = await commands.Http.PutAsJsonAsync(path, body);
        response.IsSuccessStatusCode.ShouldBeTrue($"{commands.Name}: {(int)response.StatusCode}");
        return (long)(await response.Content.ReadFromJsonAsync<JsonNode>())!["version"]!;
    }

    /// <summary>Creates aggregates through one process, one after another.</summary>
    public static async Task CreateAsync(this ShopProcess commands, string resource, int count, object body)
    {
        for (var i = 0; i < count; i++)
        {
            using var response = await commands.Http.PostAsJsonAsync($"/{resource}", body);
            response.IsSuccessStatusCode.ShouldBeTrue($"{commands.Name}: {(int)response.StatusCode}");
        }
    }

    /// <summary>Creates an aggregate as soon as a process accepts the request, and returns its id.</summary>
    public static async Task<int> CreatedAsync(this ShopClient client, string resource, object body)
    {
        Written? written = null;
        await Eventually.Holds(
            async () =>
            {
                try
                {
                    written = await client.CreateAsync(resource, body);
                }
                catch (Exception refused) when (refused is HttpRequestException or ShouldAssertException)
                {
                    // No process accepts it yet.
                }

                return written is not null;
            },
            $"{resource} are written again",
            TimeSpan.FromMinutes(1));
        return written!.Id;
    }
}
