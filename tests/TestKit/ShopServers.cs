namespace ApexShop.TestKit;

/// <summary>
/// The servers of a shop: a superuser's connection string, an AMQP address, a StackExchange.Redis configuration.
/// </summary>
public sealed record ShopServers(string Postgres, Uri Broker, string Redis)
{
    /// <summary>Those of the test run.</summary>
    public static ShopServers Shared { get; } = new(Servers.Postgres, Servers.RabbitMq, Servers.Redis);
}
