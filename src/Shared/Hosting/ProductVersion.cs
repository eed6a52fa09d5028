using System.Reflection;

namespace ApexShop.Hosting;

/// <summary>The version of the product: the same in every process and in every document about it.</summary>
public static class ProductVersion
{
    private static readonly string[] parts = typeof(ProductVersion).Assembly
        .GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+', 2);

    /// <summary>As in CHANGELOG.md, for example 1.0.0.</summary>
    public static string Number => parts[0];

    /// <summary>
    /// The commit that the process was built from; null if that was outside a Git repository, or in an image without
    /// APEXSHOP_COMMIT.
    /// </summary>
    public static string? Commit => parts.ElementAtOrDefault(1);
}
