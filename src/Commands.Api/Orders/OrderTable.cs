using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Users;
using ApexShop.Events;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.ChangeTracking;
using Microsoft.EntityFrameworkCore.Metadata.Builders;

namespace ApexShop.Commands.Api.Orders;

/// <summary>Table <c>shop.orders</c>.</summary>
internal sealed class OrderTable : IEntityTypeConfiguration<Order>
{
    public static ConstraintProblem UnknownUser { get; } = new(
        "orders_user_id_fkey", "order.user_unknown", "The order's user does not exist.");

    private static JsonTypeInfo<IReadOnlyList<OrderStatusState>> StatusHistory =>
        EventJson.Wire.IReadOnlyListOrderStatusState;

    public void Configure(EntityTypeBuilder<Order> order)
    {
        order.IsAggregate("orders", "order_ids");
        var statuses = string.Join(", ", Enum.GetNames<OrderStatus>().Select(status => $"'{status}'"));
        order.ToTable(table =>
        {
            table.HasCheckConstraint("orders_status_check", $"status IN ({statuses})");
            table.HasCheckConstraint("orders_total_amount_check", "total_amount >= 0");
        });
        order.Property(o => o.Status).HasConversion<string>().HasMaxLength(10);
        order.Property(o => o.TotalAmount).HasPrecision(18, 2);
        order.Property(o => o.ShippingAddress).HasMaxLength(FixedLimits.ShippingAddress);
        order.Property(o => o.TrackingNumber).HasMaxLength(FixedLimits.TrackingNumber);
        // The JSON of the state, in the order's own row: a command that has waited for the row's lock reads the current
        // one with it, and no row of another table.
        order.Property(o => o.StatusHistory).HasColumnType("json").HasConversion(
            history => JsonSerializer.Serialize(history!, StatusHistory),
            json => JsonSerializer.Deserialize(json, StatusHistory),
            new ValueComparer<IReadOnlyList<OrderStatusState>?>(favorStructuralComparisons: false));
        order.HasMany(o => o.Items).WithOne().HasForeignKey(i => i.OrderId).OnDelete(DeleteBehavior.Cascade);
        order.HasOne<User>().WithMany().HasForeignKey(o => o.UserId).OnDelete(DeleteBehavior.Restrict);
        // The next one would replace EF Core's index of the foreign key, which has the orders without a deadline too.
        order.HasIndex(o => o.UserId);
        order.HasIndex(o => new { o.UserId, o.ExpiresAt }).HasFilter("expires_at IS NOT NULL");
        order.HasIndex(o => o.OrderDate).IsDescending();
        order.HasIndex(o => o.Status);
        order.HasIndex(o => o.ExpiresAt).HasFilter("expires_at IS NOT NULL");
        order.HasIndex(o => o.DeliveredDate).HasFilter("delivered_date IS NOT NULL");
    }
}

internal static class OrderSet
{
    extension(ShopDbContext db)
    {
        public DbSet<Order> Orders => db.Set<Order>();
    }
}
