using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Persistence;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata.Builders;

namespace ApexShop.Commands.Api.Users;

internal sealed class UserTable : IEntityTypeConfiguration<User>
{
    /// <summary>Over lower(email), which EF cannot say: a migration's SQL makes it.</summary>
    public const string UniqueEmail = "users_email_key";

    public void Configure(EntityTypeBuilder<User> user)
    {
        user.IsAggregate("users", "user_ids");
        user.Property(u => u.Email).HasMaxLength(Limit.Email);
        user.Property(u => u.FirstName).HasMaxLength(Limit.PersonName);
        user.Property(u => u.LastName).HasMaxLength(Limit.PersonName);
        user.Property(u => u.PhoneNumber).HasMaxLength(Limit.PhoneNumber);
        user.Property(u => u.PasswordHash).HasMaxLength(200);
    }
}
