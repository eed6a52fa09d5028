using System.Data;
using ApexShop.Hosting;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Npgsql;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>
/// Schema <c>shop</c>. Each resource declares its table, and its <c>DbSet</c> as an extension property.
/// </summary>
internal sealed class ShopDbContext : DbContext
{
    public const string Schema = "shop";

    // A transaction that fails is rolled back completely; savepoints would only add two round trips.
    public ShopDbContext(DbContextOptions<ShopDbContext> options)
        : base(options) => Database.AutoSavepointsEnabled = false;

    /// <summary>Whether the transaction has changed or locked rows, so that its commit waits for a replica.</summary>
    public bool HasWritten { get; set; }

    /// <summary>Begins a transaction, or joins the one that has begun; without a commit it is rolled back.</summary>
    public async Task<ShopTransaction> BeginAsync(CancellationToken ct)
    {
        if (Database.CurrentTransaction is not null) return new(this, own: null);
        HasWritten = false;
        return new(this, await Database.BeginTransactionAsync(ct));
    }

    /// <summary>Tracks a new row, with an id of a refused one or of its sequence.</summary>
    public async Task AddNewAsync(object row, CancellationToken ct)
    {
        // EF Core reads the next block of ids under a lock of the process. A command that waited for a connection under
        // it would stop those that have one and wait for the lock.
        await Database.OpenConnectionAsync(ct);
        try
        {
            if (this.GetService<IdPool>().Take(row.GetType()) is { } id)
                Entry(row).Property(nameof(IAggregate.Id)).CurrentValue = id;
            await AddAsync(row, ct);
        }
        finally
        {
            await Database.CloseConnectionAsync();
        }
    }

    /// <summary>
    /// See <see cref="PrimaryCheck"/>, of the server of the session that is open; a caller that disconnects does not
    /// cancel it.
    /// </summary>
    public async Task CheckPrimaryAsync()
    {
        // EF Core would open another one in place of a session that has ended.
        if (Database.GetDbConnection().State != ConnectionState.Open)
            throw new NpgsqlException("The session of the command has ended.");
        await Database.ExecuteSqlRawAsync($"SELECT {PrimaryCheck.Sql}", CancellationToken.None);
    }

    /// <summary>Inserts the added rows, and commits them unless a transaction has begun.</summary>
    public async Task InsertAsync()
    {
        try
        {
            await SaveChangesAsync(CancellationToken.None);
        }
        catch (DbUpdateException failure) when (HasFreeIds(failure))
        {
            var ids = this.GetService<IdPool>();
            foreach (var row in ChangeTracker.Entries().Where(row => row.State == EntityState.Added))
                if (row.Entity is IAggregate refused) ids.Return(refused);
            // A later SaveChanges must not insert a row whose id another one may have by then.
            ChangeTracker.Clear();
            throw;
        }
    }

    /// <summary>
    /// Statements that are sent in one round trip, in the current transaction and without EF Core's work.
    /// </summary>
    public NpgsqlBatch CreateBatch(params ReadOnlySpan<NpgsqlBatchCommand> commands)
    {
        var batch = new NpgsqlBatch((NpgsqlConnection)Database.GetDbConnection());
        foreach (var command in commands) batch.BatchCommands.Add(command);
        return batch;
    }

    protected override void OnModelCreating(ModelBuilder modelBuilder)
    {
        modelBuilder.HasDefaultSchema(Schema);
        modelBuilder.ApplyConfigurationsFromAssembly(typeof(ShopDbContext).Assembly);
        SnakeCaseNames.Apply(modelBuilder.Model);
    }

    // PostgreSQL has refused the rows, so nothing has their ids; where a primary key was violated, something may have.
    private static bool HasFreeIds(DbUpdateException failure) =>
        failure.InnerException is PostgresException
        {
            SqlState: PostgresErrorCodes.UniqueViolation or PostgresErrorCodes.ForeignKeyViolation,
            ConstraintName: { } constraint,
        }
        && !constraint.EndsWith("_pkey", StringComparison.Ordinal);
}
