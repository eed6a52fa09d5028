using System.Net.Http.Headers;

namespace ApexShop.Load;

/// <summary>A running shop as a black box: two addresses and a key.</summary>
internal sealed record Shop(Uri Commands, Uri Queries, string Key)
{
    public static Shop FromEnvironment() =>
        new(new Uri(Variable("COMMANDS_URL")), new Uri(Variable("QUERIES_URL")), Variable("ADMIN_KEY"));

    /// <summary>A client of one of the two APIs with a kept-alive connection and the key.</summary>
    public HttpClient Client(Uri address)
    {
        var client = new HttpClient { BaseAddress = address, Timeout = TimeSpan.FromSeconds(30) };
        client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Key);
        return client;
    }

    private static string Variable(string name) =>
        Environment.GetEnvironmentVariable(name)
        ?? throw new InvalidOperationException(
            $"{name} is not set: start the shop with ./apexshop up and run this through ./apexshop bench.");
}
