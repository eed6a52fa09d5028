using ApexShop.Hosting;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Update;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Persistence;

internal static class PersistenceRegistration
{
    /// <summary>
    /// PostgreSQL ends the session of a machine that has vanished, and so its locks, within about ten seconds, also
    /// while it sends a result.
    /// </summary>
    public const string LostMachineLimits = "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 "
        + "-c tcp_keepalives_count=3 -c tcp_user_timeout=10s";

    // PostgreSQL ends the session of a process that hangs in a transaction, and so its locks. No command waits for
    // anything but the database in one.
    private const string HangLimit = "-c idle_in_transaction_session_timeout=15s";

    public static void AddPersistence(this IServiceCollection services, string? connectionString)
    {
        if (connectionString is null) throw new InvalidOperationException("ConnectionStrings:Shop is not configured.");
        services.AddOptionsWithValidateOnStart<PersistenceOptions, PersistenceOptionsValidator>()
            .BindConfiguration(PersistenceOptions.Section);
        services.AddSingleton(provider =>
        {
            var lockSeconds = provider.GetRequiredService<IOptions<PersistenceOptions>>().Value.LockSeconds;
            var prepared = Prepared(connectionString, TimeSpan.FromSeconds(lockSeconds));
            return new NpgsqlDataSourceBuilder(prepared.ConnectionString) { Name = "commands" }.Build();
        });
        services.AddSingleton<IdPool>();
        services.AddDbContextPool<ShopDbContext>((provider, options) => options
            .UseNpgsql(provider.GetRequiredService<NpgsqlDataSource>())
            .ReplaceService<IModificationCommandBatchFactory, SingleRoundTripInserts>()
            .AddInterceptors(provider.GetServices<IInterceptor>())
            // An error of the caller becomes a response, and an error of ours is logged once, where the request ends. A
            // transaction that ends because its caller disconnected is no error at all.
            .ConfigureWarnings(warnings => warnings.Ignore(
                CoreEventId.SaveChangesFailed,
                CoreEventId.OptimisticConcurrencyException,
                CoreEventId.QueryIterationFailed,
                RelationalEventId.CommandError,
                RelationalEventId.TransactionError,
                RelationalEventId.ConnectionError)));
        services.AddHostedService<IdGauges>();
        services.AddSingleton(_ => Check(connectionString));
        services.AddHealthChecks().AddCheck<DatabaseCheck>("postgres");
    }

    private static DatabaseCheck Check(string connectionString)
    {
        var single = new NpgsqlConnectionStringBuilder(connectionString)
        {
            MinPoolSize = 0, MaxPoolSize = 1, ApplicationName = DatabaseCheck.Session,
            Timeout = DatabaseCheck.ConnectSeconds,
        };
        return new DatabaseCheck(
            new NpgsqlDataSourceBuilder(single.ConnectionString) { Name = "health" }.Build(),
            "SELECT position FROM shop.log_positions LIMIT 1");
    }

    // A statement that a connection has run five times is not parsed and planned again, which saves a fifth of a
    // command's CPU time in this process and in the server.
    private static NpgsqlConnectionStringBuilder Prepared(string connectionString, TimeSpan lockTimeout)
    {
        var connection = new NpgsqlConnectionStringBuilder(connectionString);
        if (!connection.ShouldSerialize("Max Auto Prepare")) connection.MaxAutoPrepare = 100;
        // No session has state from one command to the next, and the statements that reset it cost a fifth more.
        connection.NoResetOnClose = true;
        var milliseconds = (long)lockTimeout.TotalMilliseconds;
        connection.Options = FormattableString.Invariant(
            $"{LostMachineLimits} {HangLimit} {connection.Options} -c lock_timeout={milliseconds}");
        return connection;
    }
}
