using System.Net;

namespace ApexShop.Client;

/// <summary>
/// A client of both APIs of a shop for one caller; it can be used by many threads. Every read includes the last
/// 8 commands of this client, without sign-ins.
/// </summary>
public sealed class ShopClient : IDisposable
{
    private readonly HttpClient? own;
    private readonly ShopConnection shop;

    /// <summary>Makes connections of its own, which <see cref="Dispose"/> closes.</summary>
    public ShopClient(ShopClientOptions options) : this(NewHttpClient(), options, isOwn: true)
    {
    }

    /// <summary>Uses a client of the caller, whose base address is not used and whose time limit counts too.</summary>
    public ShopClient(HttpClient http, ShopClientOptions options)
        : this(http, options, isOwn: false)
    {
    }

    private ShopClient(HttpClient http, ShopClientOptions options, bool isOwn)
        : this(new ShopConnection(http, options with
        {
            Commands = AsFolder(options.Commands), Queries = AsFolder(options.Queries),
        })) => own = isOwn ? http : null;

    private ShopClient(ShopConnection shop)
    {
        this.shop = shop;
        (Products, Categories, Orders, Reviews, Users) = (new(shop), new(shop), new(shop), new(shop), new(shop));
    }

    public ProductClient Products { get; }

    public CategoryClient Categories { get; }

    public OrderClient Orders { get; }

    public ReviewClient Reviews { get; }

    public UserClient Users { get; }

    /// <summary>
    /// The tokens of the last 8 commands, with commas between them, which reads send: they wait until the documents
    /// include those commands, and are not taken from a cache. Set it to that of another client to see its writes, or
    /// to null to see only what is there.
    /// </summary>
    public string? ConsistencyToken
    {
        get => shop.Tokens;
        set => shop.Tokens = value;
    }

    /// <summary>Verifies a customer's password; <see cref="As"/> with the token acts for the customer.</summary>
    public Task<CustomerToken> SignInAsync(
        string email, string password, CancellationToken cancellationToken = default) =>
        shop.SendAsync<CustomerToken>(
            new(HttpMethod.Post, "sessions")
            {
                Body = ShopJson.Bytes(new SessionInput(email, password)),
                IsSignIn = true,
            },
            cancellationToken);

    /// <summary>
    /// A client of another caller over the same connections, which begins with the tokens of this one. It is usable as
    /// long as this one.
    /// </summary>
    public ShopClient As(string? key) => new(shop.With(key));

    public void Dispose() => own?.Dispose();

    // Paths are relative to the address, also where it has a path of its own.
    private static Uri AsFolder(Uri address) =>
        address.AbsoluteUri.EndsWith('/') ? address : new Uri($"{address.AbsoluteUri}/");

    // Each attempt has a time limit of its own, and connections follow a change of the name's address. A redirect would
    // turn a POST into a GET, whose response would be taken for that of the command. The gateway closes a connection
    // after 60 s without a request: a command that is sent at that moment gets no response.
    private static HttpClient NewHttpClient() => new(new SocketsHttpHandler
    {
        AllowAutoRedirect = false,
        AutomaticDecompression = DecompressionMethods.All,
        PooledConnectionIdleTimeout = TimeSpan.FromSeconds(30),
        PooledConnectionLifetime = TimeSpan.FromMinutes(5),
    })
    {
        Timeout = Timeout.InfiniteTimeSpan,
    };
}
