using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using ApexShop.Access;
using ApexShop.Consistency;

namespace ApexShop.TestKit;

/// <summary>API keys of a test shop, and the configuration that contains them.</summary>
public static class TestKeys
{
    /// <summary>May do everything.</summary>
    public const string Everything = "test-key-with-every-scope";

    /// <summary>May read the event log: the Projector's key.</summary>
    public const string Events = "test-key-of-the-projector";

    /// <summary>May operate the shop, and read no documents that need a scope.</summary>
    public const string Admin = "test-key-of-an-operator";

    /// <summary>What cursors are signed with.</summary>
    public const string Cursors = "dGVzdHMgc2lnbiB0aGVpciBjdXJzb3JzIHdpdGggdGhpcyBrZXk=";

    /// <summary>What the tokens of customers are signed with.</summary>
    public const string Sessions = "dGVzdHMgc2lnbiB0aGUgdG9rZW5zIG9mIHRoZWlyIGN1c3RvbWVycw==";

    /// <summary>What consistency tokens are signed with.</summary>
    public const string Consistency = "dGVzdHMgc2lnbiB0aGVpciB0b2tlbnMgd2l0aCB0aGlzIGtleQ==";

    /// <summary>What the secrets of webhooks are derived from.</summary>
    public const string Webhooks = "dGVzdHMgZGVyaXZlIHRoZSBzZWNyZXRzIG9mIHdlYmhvb2tz";

    /// <summary>The tokens of a test shop.</summary>
    public static ConsistencyTokens Tokens { get; } = new(Consistency);

    /// <summary>The hash by which the configuration names a key.</summary>
    public static string HashOf(string key) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(key)));

    /// <summary>Adds section <c>Access</c> and the keys of tokens to a process's environment.</summary>
    public static void AddTo(IDictionary<string, string> environment)
    {
        environment["Consistency__Key"] = Consistency;
        Add(environment, 0, "everything", Everything, [.. Scopes.All]);
        Add(environment, 1, "projector", Events, [Scopes.EventsRead, Scopes.OrdersRead, Scopes.UsersRead]);
        Add(environment, 2, "operator", Admin, [Scopes.Admin]);
    }

    private static void Add(
        IDictionary<string, string> environment, int index, string name, string key, string[] scopes)
    {
        var prefix = string.Create(CultureInfo.InvariantCulture, $"Access__Keys__{index}__");
        environment[$"{prefix}Name"] = name;
        environment[$"{prefix}Sha256"] = HashOf(key);
        for (var i = 0; i < scopes.Length; i++) environment[$"{prefix}Scopes__{i}"] = scopes[i];
    }
}
