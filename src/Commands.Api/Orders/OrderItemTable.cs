using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Products;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata.Builders;

namespace ApexShop.Commands.Api.Orders;

internal sealed class OrderItemTable : IEntityTypeConfiguration<OrderItem>
{
    public void Configure(EntityTypeBuilder<OrderItem> item)
    {
        item.ToTable("order_items", table =>
        {
            table.HasCheckConstraint("order_items_quantity_check", "quantity > 0");
            table.HasCheckConstraint("order_items_unit_price_check", "unit_price >= 0");
            table.HasCheckConstraint("order_items_total_price_check", "total_price = quantity * unit_price");
        });
        item.Property(i => i.Id).UseIdentityAlwaysColumn();
        item.Property(i => i.ProductName).HasMaxLength(FixedLimits.Name);
        item.Property(i => i.UnitPrice).HasPrecision(18, 2);
        item.Property(i => i.TotalPrice).HasPrecision(18, 2);
        item.HasIndex(i => new { i.OrderId, i.ProductId }).IsUnique();
        // A product that was sold cannot be deleted: the order refers to it.
        item.HasOne<Product>().WithMany().HasForeignKey(i => i.ProductId).OnDelete(DeleteBehavior.Restrict);
    }
}
