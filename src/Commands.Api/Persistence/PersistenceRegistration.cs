using ApexShop.Commands.Api.Outbox;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Update;
using Npgsql;

namespace ApexShop.Commands.Api.Persistence;

internal static class PersistenceRegistration
{
    public static void AddPersistence(this IServiceCollection services, string? connectionString)
    {
        if (connectionString is null) throw new InvalidOperationException("ConnectionStrings:Shop is not configured.");
        services.AddSingleton(_ => new NpgsqlDataSourceBuilder(Prepared(connectionString).ConnectionString) { Name = "commands" }.Build());
        services.AddDbContextPool<ShopDbContext>((provider, options) => options
            .UseNpgsql(provider.GetRequiredService<NpgsqlDataSource>())
            .ReplaceService<IModificationCommandBatchFactory, SingleRoundTripInserts>()
            .AddInterceptors(provider.GetRequiredService<SignalAfterCommit>())
            // What a caller caused is an answer, and what we caused is logged once, where it ends the request.
            .ConfigureWarnings(warnings => warnings.Ignore(
                CoreEventId.SaveChangesFailed,
                CoreEventId.OptimisticConcurrencyException,
                CoreEventId.QueryIterationFailed,
                RelationalEventId.CommandError,
                RelationalEventId.ConnectionError)));
        services.AddHealthChecks().AddCheck<PostgresCheck>("postgres");
    }

    // What a connection has run five times it does not have parsed and planned again: a fifth of the CPU that a command costs here and there.
    private static NpgsqlConnectionStringBuilder Prepared(string connectionString)
    {
        var connection = new NpgsqlConnectionStringBuilder(connectionString);
        if (!connection.ShouldSerialize("Max Auto Prepare")) connection.MaxAutoPrepare = 100;
        // No session keeps anything from one command to the next, and the statements that would clear it away cost a fifth more.
        connection.NoResetOnClose = true;
        return connection;
    }
}
