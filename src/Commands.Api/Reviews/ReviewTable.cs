using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Commands.Api.Products;
using ApexShop.Commands.Api.Users;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata.Builders;

namespace ApexShop.Commands.Api.Reviews;

/// <summary>Table <c>shop.reviews</c>.</summary>
internal sealed class ReviewTable : IEntityTypeConfiguration<Review>
{
    public static ConstraintProblem UnknownProduct { get; } = new(
        "reviews_product_id_fkey", "review.product_unknown", "The review's product does not exist.");

    public static ConstraintProblem UnknownUser { get; } = new(
        "reviews_user_id_fkey", "review.user_unknown", "The review's user does not exist.");

    public static ConstraintProblem Exists { get; } = new(
        "reviews_product_id_user_id_idx", "review.exists", "The user has already reviewed this product.");

    public void Configure(EntityTypeBuilder<Review> review)
    {
        review.IsAggregate("reviews", "review_ids");
        review.ToTable(table => table.HasCheckConstraint("reviews_rating_check", "rating BETWEEN 1 AND 5"));
        review.Property(r => r.Comment).HasMaxLength(FixedLimits.Comment);
        // Only a safeguard: DELETE /products deletes the reviews before, with their events, which a cascade cannot
        // write.
        review.HasOne<Product>().WithMany().HasForeignKey(r => r.ProductId).OnDelete(DeleteBehavior.Cascade);
        review.HasOne<User>().WithMany().HasForeignKey(r => r.UserId).OnDelete(DeleteBehavior.Restrict);
        review.HasIndex(r => new { r.ProductId, r.UserId }).IsUnique();
        review.HasIndex(r => r.UserId);
        review.HasIndex(r => r.Rating);
    }
}

internal static class ReviewSet
{
    extension(ShopDbContext db)
    {
        public DbSet<Review> Reviews => db.Set<Review>();
    }
}
