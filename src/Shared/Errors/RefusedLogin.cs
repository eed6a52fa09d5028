namespace ApexShop.Errors;

/// <summary>
/// SQLSTATE codes with which PostgreSQL refuses the process itself: its password, its role, its database. For the
/// caller the database is unavailable until an operator corrects it.
/// </summary>
public static class RefusedLogin
{
    public static bool Is(string? sqlState) => sqlState is "28P01" or "28000" or "3D000";
}
