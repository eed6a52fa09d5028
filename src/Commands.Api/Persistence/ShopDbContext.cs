using ApexShop.Commands.Api.Categories;
using ApexShop.Commands.Api.Orders;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Products;
using ApexShop.Commands.Api.Reviews;
using ApexShop.Commands.Api.Users;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>Schema <c>shop</c>: the aggregates, the outbox and the event log.</summary>
internal sealed class ShopDbContext : DbContext
{
    public const string Schema = "shop";

    // A transaction that fails is rolled back whole; a savepoint in it would only cost two round trips more.
    public ShopDbContext(DbContextOptions<ShopDbContext> options)
        : base(options) => Database.AutoSavepointsEnabled = false;

    public DbSet<Product> Products => Set<Product>();

    public DbSet<Category> Categories => Set<Category>();

    public DbSet<Order> Orders => Set<Order>();

    public DbSet<Review> Reviews => Set<Review>();

    public DbSet<User> Users => Set<User>();

    public DbSet<EventRow> Events => Set<EventRow>();

    /// <summary>Not committed is rolled back; inside a transaction that runs already, that one decides.</summary>
    public async Task<ShopTransaction> BeginAsync(CancellationToken ct) =>
        new(Database.CurrentTransaction is null ? await Database.BeginTransactionAsync(ct) : null);

    protected override void OnModelCreating(ModelBuilder modelBuilder)
    {
        modelBuilder.HasDefaultSchema(Schema);
        modelBuilder.ApplyConfigurationsFromAssembly(typeof(ShopDbContext).Assembly);
        SnakeCaseNames.Apply(modelBuilder.Model);
    }
}
