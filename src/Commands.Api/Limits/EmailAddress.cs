namespace ApexShop.Commands.Api.Limits;

/// <summary>How e-mail addresses are compared.</summary>
internal static class EmailAddress
{
    /// <summary>
    /// PostgreSQL compares addresses in lower case. Letters that share it do not all share the upper case (the Kelvin
    /// sign and k), and letters that share the upper case do not all share it: by both, none is another address.
    /// </summary>
    public static string Folded(string email) => email.Replace('\u0130', 'I').ToLowerInvariant().ToUpperInvariant();
}
