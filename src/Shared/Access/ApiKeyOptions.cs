using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using Microsoft.Extensions.Options;

namespace ApexShop.Access;

/// <summary>Section <c>Access</c>: the valid API keys, each as a hash. A change applies without a restart.</summary>
public sealed class ApiKeyOptions
{
    public const string Section = "Access";

    [AllowNull]
    public IList<ApiKey> Keys { get; init => field = value ?? []; } = [];
}

/// <summary>One API key: its name, the hexadecimal SHA-256 of the key, and its <see cref="Access.Scopes"/>.</summary>
// A null in a JSON file is set as null; it is refused like an empty value.
public sealed class ApiKey
{
    /// <summary>The name of a process that acts without a request; no key has it.</summary>
    public const string ProcessName = "apexshop";

    /// <summary>The name of the key in the record of operators' actions and in rate limits.</summary>
    [AllowNull]
    public string Name { get; set => field = value ?? ""; } = "";

    /// <summary>The SHA-256 of the key as 64 hexadecimal digits; the key itself is never configured.</summary>
    [AllowNull]
    public string Sha256 { get; set => field = value ?? ""; } = "";

    /// <summary>What the key permits, such as <c>orders:read</c>; docs/access.md lists the scopes.</summary>
    [AllowNull]
    public IList<string> Scopes { get; init => field = value ?? []; } = [];
}

/// <summary>Refuses keys that could never match and scopes that do not exist.</summary>
internal sealed class ApiKeyOptionsValidator : IValidateOptions<ApiKeyOptions>
{
    public ValidateOptionsResult Validate(string? name, ApiKeyOptions options)
    {
        var errors = options.Keys.SelectMany(ErrorsOf).Concat(
            from same in options.Keys.GroupBy(key => key.Sha256, StringComparer.OrdinalIgnoreCase)
            where same.Count() > 1
            select $"the keys {Quoted(same.Select(key => key.Name))} have the same Sha256").ToList();
        return errors.Count == 0
            ? ValidateOptionsResult.Success
            : ValidateOptionsResult.Fail($"Access:Keys: {string.Join("; ", errors)}.");
    }

    private static IEnumerable<string> ErrorsOf(ApiKey key)
    {
        if (string.IsNullOrWhiteSpace(key.Name)) yield return "a key has no Name";
        if (key.Name == Customer.Kind || Customer.IsName(key.Name))
            yield return $"the Name '{key.Name}' is one that events have for customers";
        if (key.Name == ApiKey.ProcessName) yield return $"the Name '{key.Name}' is that of the processes";
        if (key.Sha256.Length != SHA256.HashSizeInBytes * 2 || !key.Sha256.All(char.IsAsciiHexDigit))
            yield return $"the Sha256 of key '{key.Name}' is not 64 hexadecimal digits";
        if (key.Scopes.Except(Scopes.All).ToList() is not [_, ..] unknown) yield break;
        yield return $"key '{key.Name}' has the unknown scopes {Quoted(unknown)}; "
            + $"the scopes are {string.Join(", ", Scopes.All)}";
    }

    private static string Quoted(IEnumerable<string> names) => string.Join(", ", names.Select(name => $"'{name}'"));
}
