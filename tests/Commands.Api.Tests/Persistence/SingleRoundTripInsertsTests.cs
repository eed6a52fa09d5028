using System.Net;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Products;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.Persistence;

public sealed class SingleRoundTripInsertsTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task A_product_whose_event_is_refused_is_not_written()
    {
        var categoryId = await app.CategoryAsync();
        await app.ScalarAsync<object>(
            "ALTER TABLE shop.outbox ADD CONSTRAINT outbox_refuses CHECK (data ->> 'name' IS DISTINCT FROM 'Refused')");

        var answer = await app.PostAsync("/products", ShopBuilder.ProductBody(categoryId, name: "Refused"));

        answer.Status.ShouldBe(HttpStatusCode.InternalServerError);
        (await app.ScalarAsync<long>("SELECT count(*) FROM shop.products WHERE name = 'Refused'")).ShouldBe(0);
    }

    [Fact]
    public async Task An_event_beside_a_change_that_came_too_late_is_not_there_either()
    {
        var id = await app.ProductAsync();
        await using var scope = app.Services.CreateAsyncScope();
        var db = scope.ServiceProvider.GetRequiredService<ShopDbContext>();
        var product = await db.Products.SingleAsync(p => p.Id == id);
        var body = new ProductInput.Replacement("Late", 1, product.CategoryId);
        await app.PutAsync($"/products/{id}", ShopBuilder.ReplacementBody(product.CategoryId, name: "Early"));

        scope.ServiceProvider.GetRequiredService<EventOutbox>().Add(product.Replace(body, DateTimeOffset.UnixEpoch)!);
        await Should.ThrowAsync<DbUpdateConcurrencyException>(() => db.SaveChangesAsync());

        (await app.OutboxAsync("products", id)).Count.ShouldBe(2);
    }
}
