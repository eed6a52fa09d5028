using System.Net;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text.Json.Nodes;

namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>What clients of a shop do that ./apexshop started.</summary>
internal static class StartedShopRequests
{
    private const string Email = "moment@example.com";

    /// <summary>Returns the id.</summary>
    public static async Task<int> CreateAsync(this StartedShop shop, string resource, object body)
    {
        using var response = await shop.Commands.PostAsJsonAsync($"/{resource}", body);
        var text = await response.Content.ReadAsStringAsync();
        response.StatusCode.ShouldBe(HttpStatusCode.Created, text);
        return (int)JsonNode.Parse(text)!["id"]!;
    }

    public static async Task DeleteAsync(this StartedShop shop, string resource, int id)
    {
        using var response = await shop.Commands.DeleteAsync($"/{resource}/{id}");
        response.StatusCode.ShouldBe(HttpStatusCode.NoContent);
    }

    /// <summary>Whether the query API serves the document, alone or in the first page.</summary>
    public static async Task<bool> ServesAsync(this StartedShop shop, string resource, int id)
    {
        using var response = await shop.Queries.GetAsync($"/{resource}/{id}");
        if (response.IsSuccessStatusCode) return true;
        response.StatusCode.ShouldBe(HttpStatusCode.NotFound);
        var page = JsonNode.Parse(await shop.Queries.GetStringAsync($"/{resource}/cursor?pageSize=100"))!;
        return page["data"]!.AsArray().Any(document => (int)document!["id"]! == id);
    }

    /// <summary>Creates a customer; the token of the login.</summary>
    public static async Task<string> LogInAsync(this StartedShop shop)
    {
        await shop.CreateAsync("users", Bodies.User(Email));
        using var login = await shop.Commands.PostAsJsonAsync(
            "/sessions", new { email = Email, password = "correct horse battery staple" });
        var token = (string)JsonNode.Parse(await login.Content.ReadAsStringAsync())!["token"]!;
        (await shop.OrdersAsync(token)).ShouldBe(HttpStatusCode.OK);
        return token;
    }

    /// <summary>The status of the response to a customer who reads own orders.</summary>
    public static async Task<HttpStatusCode> OrdersAsync(this StartedShop shop, string token)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, "/orders/cursor");
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", token);
        using var response = await shop.Queries.SendAsync(request);
        return response.StatusCode;
    }
}
