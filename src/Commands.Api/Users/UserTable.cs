using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Persistence;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata.Builders;

namespace ApexShop.Commands.Api.Users;

/// <summary>Table <c>shop.users</c>.</summary>
internal sealed class UserTable : IEntityTypeConfiguration<User>
{
    /// <summary>An index over lower(email), which EF Core cannot declare: a migration creates it by SQL.</summary>
    public static ConstraintProblem EmailTaken { get; } = new(
        "users_email_key", "user.email_taken", "Another user has this e-mail address.");

    public void Configure(EntityTypeBuilder<User> user)
    {
        user.IsAggregate("users", "user_ids");
        user.Property(u => u.Email).HasMaxLength(FixedLimits.Email);
        user.Property(u => u.FirstName).HasMaxLength(FixedLimits.PersonName);
        user.Property(u => u.LastName).HasMaxLength(FixedLimits.PersonName);
        user.Property(u => u.PhoneNumber).HasMaxLength(FixedLimits.PhoneNumber);
        user.Property(u => u.PasswordHash).HasMaxLength(200);
    }
}

internal static class UserSet
{
    extension(ShopDbContext db)
    {
        public DbSet<User> Users => db.Set<User>();
    }
}
