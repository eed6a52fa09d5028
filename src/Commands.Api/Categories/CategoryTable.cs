using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Persistence;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata.Builders;

namespace ApexShop.Commands.Api.Categories;

/// <summary>Table <c>shop.categories</c>.</summary>
internal sealed class CategoryTable : IEntityTypeConfiguration<Category>
{
    public void Configure(EntityTypeBuilder<Category> category)
    {
        category.IsAggregate("categories", "category_ids");
        category.Property(c => c.Name).HasMaxLength(FixedLimits.Name);
        category.Property(c => c.Description).HasMaxLength(FixedLimits.Description);
        category.HasIndex(c => c.Name);
    }
}

internal static class CategorySet
{
    extension(ShopDbContext db)
    {
        public DbSet<Category> Categories => db.Set<Category>();
    }
}
