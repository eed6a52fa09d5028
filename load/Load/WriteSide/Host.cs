using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Hosting;
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
/// The command API exactly as in production, in its own process, with three additional endpoints: the control that
/// a command is compared with, over Npgsql's connections and over those of the commands, and the memory of the
/// process.
/// </summary>
internal static class Host
{
    public const string Verb = "host";
    public const string ControlPath = "/bench/products";
    public const string SamePoolPath = "/bench/products/same-pool";
    public const string MemoryPath = "/bench/memory";

    internal sealed record Memory(long Resident, long Heap);

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
        await db.Products.AddAsync(product, ct);
        await db.SaveChangesAsync(ct);
        return TypedResults.Created((string?)null, new Saved(product.Id, product.Version));
    }

    // Collected first, as garbage is no growth.
    private static Memory ReadMemory() => new(Environment.WorkingSet, GC.GetTotalMemory(forceFullCollection: true));
}
