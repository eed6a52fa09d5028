using Npgsql;

namespace ApexShop.TestKit;

/// <summary>
/// The real servers the tests run on. <c>./apexshop test</c> starts private ones and sets their addresses.
/// </summary>
public static class Servers
{
    /// <summary>Superuser connection string of a PostgreSQL for test databases.</summary>
    public static string Postgres { get; } = Required("APEXSHOP_TEST_POSTGRES");

    /// <summary>AMQP address of a RabbitMQ virtual host.</summary>
    public static Uri RabbitMq { get; } = new(Required("APEXSHOP_TEST_RABBITMQ"));

    /// <summary>StackExchange.Redis configuration string.</summary>
    public static string Redis { get; } = Required("APEXSHOP_TEST_REDIS");

    /// <summary>The superuser's connection string for one database.</summary>
    public static string PostgresDatabase(string database) =>
        new NpgsqlConnectionStringBuilder(Postgres) { Database = database }.ConnectionString;

    private static string Required(string name) =>
        Environment.GetEnvironmentVariable(name)
        ?? throw new InvalidOperationException(
            $"{name} is not set. Run the tests with ./apexshop test, which starts the servers they need.");
}
