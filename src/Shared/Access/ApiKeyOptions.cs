namespace ApexShop.Access;

/// <summary>Section <c>Access</c>: the keys that are known, each as a hash; a change applies without a restart.</summary>
public sealed class ApiKeyOptions
{
    public const string Section = "Access";

    public IList<ApiKey> Keys { get; init; } = [];
}

/// <summary>One key: who holds it, the SHA-256 of it in hexadecimal, and what it may do (<see cref="Scopes"/>).</summary>
public sealed class ApiKey
{
    public string Name { get; set; } = "";

    public string Sha256 { get; set; } = "";

    public IList<string> Scopes { get; init; } = [];
}
