using ApexShop.Commands.Api.Categories;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Persistence;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata.Builders;

namespace ApexShop.Commands.Api.Products;

/// <summary>Table <c>shop.products</c>.</summary>
internal sealed class ProductTable : IEntityTypeConfiguration<Product>
{
    public static ConstraintProblem UnknownCategory { get; } = new(
        "products_category_id_fkey", "product.category_unknown", "The product's category does not exist.");

    public void Configure(EntityTypeBuilder<Product> product)
    {
        product.IsAggregate("products", "product_ids");
        product.ToTable(table =>
        {
            table.HasCheckConstraint("products_price_check", "price >= 0");
            table.HasCheckConstraint("products_stock_check", "stock >= 0");
        });
        product.Property(p => p.Name).HasMaxLength(Limit.Name);
        product.Property(p => p.Description).HasMaxLength(Limit.Description);
        product.Property(p => p.Price).HasPrecision(18, 2);
        product.HasOne<Category>().WithMany().HasForeignKey(p => p.CategoryId).OnDelete(DeleteBehavior.Restrict);
        product.HasIndex(p => p.Price);
        product.HasIndex(p => p.Name);
    }
}

internal static class ProductSet
{
    extension(ShopDbContext db)
    {
        public DbSet<Product> Products => db.Set<Product>();
    }
}
