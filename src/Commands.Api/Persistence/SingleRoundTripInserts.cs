// The provider's own batch is the one that reads PostgreSQL's answers, and it is internal.
#pragma warning disable EF1001
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Update;
using Npgsql.EntityFrameworkCore.PostgreSQL.Update.Internal;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>
/// Rows that are only added, in one batch, go to the server in one round trip without BEGIN and COMMIT: the statements
/// of a batch are one transaction to PostgreSQL anyway. A change or a deletion keeps its transaction, because a row that
/// somebody else changed is noticed when the batch has come to its end, and then the rest of it must be rolled back.
/// </summary>
internal sealed class SingleRoundTripInserts(ModificationCommandBatchFactoryDependencies dependencies) : IModificationCommandBatchFactory
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
