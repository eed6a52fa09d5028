namespace ApexShop.Access;

/// <summary>The form of a key that signs.</summary>
public static class SigningKey
{
    /// <summary>Base64 of at least 32 bytes.</summary>
    public const string Pattern = "[A-Za-z0-9+/]{43,1024}={0,2}";
}
