using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Hosting;
using ApexShop.Commands.Api.Orders;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Products;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.Extensions.Configuration;

namespace ApexShop.Load.WriteSide;

/// <summary>
/// The command API exactly as in production, in its own process, with additional endpoints: what the creation of a
/// product is compared with, over Npgsql's connections and over those of the commands, what an order is compared with,
/// and the memory of the process.
/// </summary>
internal static class Host
{
    public const string Verb = "host";
    public const string ControlPath = "/bench/products";
    public const string SamePoolPath = "/bench/products/same-pool";
    public const string OrderPath = "/bench/orders";
    public const string MemoryPath = "/bench/memory";

    /// <summary>In bytes; the heap only after a collection.</summary>
    internal sealed record Memory(long Resident, long? Heap);

    public static async Task RunAsync()
    {
        var builder = WebApplication.CreateBuilder();
        builder.AddShop();
        var plain = new PooledDbContextFactory<ShopDbContext>(
            new DbContextOptionsBuilder<ShopDbContext>()
                .UseNpgsql(builder.Configuration.GetConnectionString("Shop")).Options);
        var app = builder.Build();
        app.UseShopPipeline();
        app.MapEndpoints();
        // Short circuits, so that the pipeline after routing does not count for the control.
        app.MapPost(ControlPath, InsertPlainlyAsync).DisableValidation().ShortCircuit();
        app.MapPost(SamePoolPath, InsertAsync).DisableValidation().ShortCircuit();
        app.MapPost(OrderPath, OrderAsync).DisableValidation().ShortCircuit();
        app.MapGet(MemoryPath, ReadMemory).ShortCircuit();
        await app.RunAsync();

        async Task<Created<Saved>> InsertPlainlyAsync(ProductInput.Body body, TimeProvider clock, CancellationToken ct)
        {
            await using var db = await plain.CreateDbContextAsync(ct);
            return await InsertAsync(body, db, clock, ct);
        }
    }

    /// <summary>
    /// One plain insert of the same row by EF Core, committed: no key, no validation, no mediator, no event.
    /// </summary>
    private static async Task<Created<Saved>> InsertAsync(
        ProductInput.Body body, ShopDbContext db, TimeProvider clock, CancellationToken ct)
    {
        var product = Product.New(body, clock.GetUtcMicroseconds());
        // Sets the row's first version; the event is dropped.
        product.Created();
        await db.AddAsync(product, ct);
        await db.SaveChangesAsync(ct);
        return TypedResults.Created((string?)null, new Saved(product.Id, product.Version));
    }

    /// <summary>
    /// Takes the items from stock and inserts the order by EF Core, in one transaction: no key, no validation, no
    /// mediator, no lock before the update, no version, no event.
    /// </summary>
    private static async Task<Results<Created<Saved>, Conflict>> OrderAsync(
        CreateOrder.Body body, ShopDbContext db, TimeProvider clock, CancellationToken ct)
    {
        await using var transaction = await db.Database.BeginTransactionAsync(ct);
        var quantities = body.Items.OrderBy(item => item.ProductId).ToDictionary(item => item.ProductId!.Value);
        foreach (var (id, item) in quantities)
        {
            var taken = await db.Products.Where(p => p.Id == id && p.IsActive && p.Stock >= item.Quantity)
                .ExecuteUpdateAsync(p => p.SetProperty(x => x.Stock, x => x.Stock - item.Quantity), ct);
            if (taken == 0) return TypedResults.Conflict();
        }

        var products = await db.Products.AsNoTracking()
            .Where(p => quantities.Keys.Contains(p.Id))
            .Select(p => new { p.Id, p.Name, p.Price })
            .ToListAsync(ct);
        var items = products.Select(p => new OrderItem(p.Id, p.Name, quantities[p.Id].Quantity!.Value, p.Price));
        var order = Order.New(
            body.UserId!.Value, body.ShippingAddress, items, clock.GetUtcMicroseconds(), "customer", null);
        order.Placed();
        await db.AddAsync(order, ct);
        await db.SaveChangesAsync(ct);
        await transaction.CommitAsync(ct);
        return TypedResults.Created((string?)null, new Saved(order.Id, order.Version));
    }

    // Garbage is no growth of the heap, but what it takes until its collection is resident memory.
    private static Memory ReadMemory(bool collect = false) =>
        new(Environment.WorkingSet, collect ? GC.GetTotalMemory(forceFullCollection: true) : null);
}
