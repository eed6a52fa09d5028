using ApexShop.Commands.Api.Commands;

namespace ApexShop.Commands.Api.Users;

/// <summary>The placeholders of a person; erased_state.sql writes the same into events.</summary>
internal static class ErasedPerson
{
    public const string FirstName = "Erased";
    public const string LastName = "Customer";
    public const string ShippingAddress = "Erased";

    /// <summary>A hash that no password has, and that the verification of a password refuses.</summary>
    public const string PasswordHash = "";

    /// <summary>Top-level domain .invalid has no hosts (RFC 2606).</summary>
    public const string Domain = "@erased.invalid";

    /// <summary>An import that began before the erasure must not bring the person back.</summary>
    public static Problem Refusal(int id) =>
        Problem.Conflict("user.erased", $"User {id} is erased. Create another one.");

    public static string Email(int id) => FormattableString.Invariant($"erased-{id}{Domain}");
}
