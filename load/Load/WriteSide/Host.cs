using ApexShop.Commands.Api.Hosting;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Products;
using ApexShop.Commands.Api.Results;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;

namespace ApexShop.Load.WriteSide;

/// <summary>
/// The command API exactly as it is composed for production, in a process of its own, with two endpoints more: what a
/// command is compared with, and what the process weighs.
/// </summary>
internal static class Host
{
    public const string Verb = "host";
    public const string ControlPath = "/bench/products";
    public const string MemoryPath = "/bench/memory";

    internal sealed record Memory(long Resident, long Heap);

    public static async Task RunAsync()
    {
        var builder = WebApplication.CreateBuilder();
        builder.AddShop();
        var app = builder.Build();
        app.UseShopPipeline();
        app.MapEndpoints();
        // Short circuits, so that nothing of the pipeline after routing counts for the control.
        app.MapPost(ControlPath, InsertAsync).DisableValidation().ShortCircuit();
        app.MapGet(MemoryPath, ReadMemory).ShortCircuit();
        await app.RunAsync();
    }

    /// <summary>One plain insert of the same row by EF Core, committed: no key, no validation, no mediator, no event.</summary>
    private static async Task<Created<Saved>> InsertAsync(
        ProductInput.Body body, ShopDbContext db, TimeProvider clock, CancellationToken ct)
    {
        var product = Product.New(body, clock.GetUtcMicroseconds());
        // Gives the row its first version; the event is dropped.
        product.Created();
        await db.Products.AddAsync(product, ct);
        await db.SaveChangesAsync(ct);
        return TypedResults.Created((string?)null, new Saved(product.Id, product.Version));
    }

    // Collected first: what is garbage already says nothing about growth.
    private static Memory ReadMemory() => new(Environment.WorkingSet, GC.GetTotalMemory(forceFullCollection: true));
}
