using System.Net.Http.Headers;
using ApexShop.Hosting;

namespace ApexShop.Prove.Clients;

/// <summary>A process of the shop with its address.</summary>
internal sealed record ShopAddress(string Name, Uri Url);

/// <summary>The shop as its clients see it: processes and a key with every scope.</summary>
internal sealed record ShopAddresses(
    IReadOnlyList<ShopAddress> Commands, IReadOnlyList<ShopAddress> Queries, string Key)
{
    /// <summary>From <c>PROVE_COMMANDS</c>, <c>PROVE_QUERIES</c> (name=url, with commas), <c>ADMIN_KEY</c>.</summary>
    public static ShopAddresses FromEnvironment() =>
        new(List("PROVE_COMMANDS"), List("PROVE_QUERIES"), Variable("ADMIN_KEY"));

    public HttpClient Client(ShopAddress address, TimeSpan timeout)
    {
        // No trace context but the one that a request carries itself.
        var handler = new SocketsHttpHandler { ActivityHeadersPropagator = null, UseProxy = false };
        var client = new HttpClient(new ConnectionResetHandler { InnerHandler = handler })
        {
            BaseAddress = address.Url, Timeout = timeout,
        };
        client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Key);
        return client;
    }

    public static string Variable(string name) =>
        Environment.GetEnvironmentVariable(name)
        ?? throw new InvalidOperationException($"{name} is not set: run this through ./apexshop prove.");

    private static List<ShopAddress> List(string name) =>
    [
        .. Variable(name).Split(',', StringSplitOptions.RemoveEmptyEntries)
            .Select(pair => pair.Split('=', 2)).Select(pair => new ShopAddress(pair[0], new Uri(pair[1]))),
    ];
}
