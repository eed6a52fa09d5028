using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Users;

/// <summary>Users as rows of COPY.</summary>
internal static class UserRows
{
    private const string Columns =
        "id, email, first_name, last_name, phone_number, password_hash, created_date, last_login_date, is_active, "
        + "version";

    /// <summary>The password's hash is a parameter, since no state contains it.</summary>
    public static CopyTable<UserState> Table(Func<UserState, string> passwordHash) => new(
        Resource.Users.Name, "shop.user_ids", EventTypes.UserCreated, EventJson.Wire.UserState,
        new CopyTarget<UserState>("shop.users", Columns, (buffer, user) => buffer.Row()
            .Integer(user.Id).Text(user.Email).Text(user.FirstName).Text(user.LastName).Text(user.PhoneNumber)
            .Text(passwordHash(user)).Timestamp(user.CreatedDate).Timestamp(user.LastLoginDate).Boolean(user.IsActive)
            .Bigint(user.Version)))
    {
        InsertOrder = (one, other) =>
            string.CompareOrdinal(EmailAddress.Folded(one.Email), EmailAddress.Folded(other.Email)),
    };
}
