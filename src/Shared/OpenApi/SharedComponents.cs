using System.Text.Json.Nodes;
using ApexShop.Access;
using ApexShop.Hosting;

namespace ApexShop.OpenApi;

/// <summary>What both OpenAPI documents have: health checks, the API key, the form of errors, headers.</summary>
public static class SharedComponents
{
    /// <summary>The name of the security scheme of customers.</summary>
    public const string Customer = "customer";

    /// <param name="scheme">The name of the security scheme.</param>
    /// <param name="tag">The tag of the health checks.</param>
    /// <param name="checks">The schema of the checks in the response of /health/ready.</param>
    public static JsonObject Read(string scheme, string tag, JsonObject checks) => EmbeddedJson.Read(
        typeof(SharedComponents).Assembly,
        "openapi/shared.json",
        ("scheme", scheme),
        ("scopes", string.Join(", ", Scopes.All)),
        ("customer", Customer),
        ("tag", tag),
        ("version", ProductVersion.Number),
        ("productVersion", Probes.Version),
        ("live", Probes.Live),
        ("ready", Probes.Ready),
        ("checks", checks));
}
