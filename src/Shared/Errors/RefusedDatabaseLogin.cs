namespace ApexShop.Errors;

/// <summary>
/// How PostgreSQL refuses the process itself: its password, its role, its database, its right to connect. For the
/// caller the database is unavailable until an operator corrects it.
/// </summary>
public static class RefusedDatabaseLogin
{
    /// <summary>
    /// The severity of every error that ends the session, in any language of the server. The SQLSTATE is no sign: a
    /// missing right to connect has the code of a statement without rights.
    /// </summary>
    public const string Severity = "FATAL";
}
