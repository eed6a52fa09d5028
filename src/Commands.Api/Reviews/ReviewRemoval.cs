using System.Diagnostics;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using Microsoft.EntityFrameworkCore;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>Reviews that go with their product or user: rows and outbox rows in one statement, in the caller's transaction.</summary>
internal sealed class ReviewRemoval(ShopDbContext db)
{
    public Task DeleteOfProductAsync(int productId, CancellationToken ct) => db.Database.ExecuteSqlAsync(
        $"""
        WITH gone AS (DELETE FROM shop.reviews WHERE product_id = {productId} RETURNING id, version + 1 AS version)
        INSERT INTO shop.outbox (type, resource, aggregate_id, version, trace_parent, data)
        SELECT {EventTypes.ReviewDeleted}, {Resources.Reviews}, id, version, {Activity.Current?.Id}::text, row_to_json(gone)
        FROM gone
        """,
        ct);

    public Task DeleteOfUserAsync(int userId, CancellationToken ct) => db.Database.ExecuteSqlAsync(
        $"""
        WITH gone AS (DELETE FROM shop.reviews WHERE user_id = {userId} RETURNING id, version + 1 AS version)
        INSERT INTO shop.outbox (type, resource, aggregate_id, version, trace_parent, data)
        SELECT {EventTypes.ReviewDeleted}, {Resources.Reviews}, id, version, {Activity.Current?.Id}::text, row_to_json(gone)
        FROM gone
        """,
        ct);
}
