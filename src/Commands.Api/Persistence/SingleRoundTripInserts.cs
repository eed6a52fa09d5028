// NpgsqlModificationCommandBatch, which reads the results, is an internal type of the provider.
#pragma warning disable EF1001
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Update;
using Npgsql.EntityFrameworkCore.PostgreSQL.Update.Internal;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>
/// Sends a batch that only inserts rows in one round trip, without BEGIN and COMMIT: PostgreSQL runs the statements of
/// a batch as one transaction anyway. An update or deletion keeps its transaction, because a concurrency conflict is
/// detected after the batch, which must then be rolled back.
/// </summary>
internal sealed class SingleRoundTripInserts(ModificationCommandBatchFactoryDependencies dependencies)
    : IModificationCommandBatchFactory
{
    private const int MaxStatements = 1000;

    public ModificationCommandBatch Create() => new Batch(dependencies);

    private sealed class Batch(ModificationCommandBatchFactoryDependencies dependencies)
        : NpgsqlModificationCommandBatch(dependencies, MaxStatements)
    {
        public override bool RequiresTransaction =>
            base.RequiresTransaction && ModificationCommands.Any(command => command.EntityState != EntityState.Added);
    }
}
