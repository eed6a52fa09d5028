using ApexShop.Commands.Api.Categories;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Requests;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.ChangeTracking;
using Microsoft.EntityFrameworkCore.Metadata.Builders;

namespace ApexShop.Commands.Api.Products;

/// <summary>Table <c>shop.products</c>.</summary>
internal sealed class ProductTable : IEntityTypeConfiguration<Product>
{
    public static ConstraintProblem UnknownCategory { get; } = new(
        "products_category_id_fkey", "product.category_unknown", "The product's category does not exist.");

    public static ConstraintProblem SkuTaken { get; } = new(
        "products_sku_idx", "product.sku_taken", "Another product has this SKU.");

    public static ConstraintProblem SlugTaken { get; } = new(
        "products_slug_idx", "product.slug_taken", "Another product has this slug.");

    public void Configure(EntityTypeBuilder<Product> product)
    {
        product.IsAggregate("products", "product_ids");
        product.ToTable(table =>
        {
            table.HasCheckConstraint("products_price_check", "price >= 0");
            table.HasCheckConstraint("products_stock_check", "stock >= 0");
        });
        product.Property(p => p.Name).HasMaxLength(FixedLimits.Name);
        product.Property(p => p.Description).HasMaxLength(FixedLimits.Description);
        product.Property(p => p.Price).HasPrecision(18, 2);
        product.Property(p => p.Sku).HasMaxLength(FixedLimits.Sku);
        product.Property(p => p.Slug).HasMaxLength(Slug.MaxLength);
        product.Property(p => p.Images).HasColumnType("json").HasConversion(
            images => ProductImages.Write(images),
            json => ProductImages.Read(json),
            // A product keeps the list as long as its images are the same.
            new ValueComparer<IReadOnlyList<ProductImageState>>(favorStructuralComparisons: false));
        product.HasOne<Category>().WithMany().HasForeignKey(p => p.CategoryId).OnDelete(DeleteBehavior.Restrict);
        product.HasIndex(p => p.Price);
        product.HasIndex(p => p.Name);
        product.HasIndex(p => p.Sku).IsUnique().HasFilter("sku IS NOT NULL");
        product.HasIndex(p => p.Slug).IsUnique().HasFilter("slug IS NOT NULL");
    }
}

internal static class ProductSet
{
    extension(ShopDbContext db)
    {
        public DbSet<Product> Products => db.Set<Product>();
    }
}
