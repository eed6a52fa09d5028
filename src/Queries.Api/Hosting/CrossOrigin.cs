using ApexShop.Consistency;
using ApexShop.Limits;
using ApexShop.Queries.Api.Endpoints;
using Microsoft.AspNetCore.Cors.Infrastructure;
using Microsoft.Extensions.Options;

namespace ApexShop.Queries.Api.Hosting;

/// <summary>Section <c>Cors</c>: the allowed origins; in Development those of this machine are allowed too.</summary>
internal sealed class CorsSettings
{
    public const string Section = "Cors";

    /// <summary>
    /// The origins whose scripts may use the API, such as <c>https://shop.example</c>: scheme and host, and the port if
    /// it is not the usual one.
    /// </summary>
    public IList<string> Origins { get; init; } = [];
}

/// <summary>An origin in a form that no browser sends would never match.</summary>
internal sealed class CorsSettingsValidator : IValidateOptions<CorsSettings>
{
    public ValidateOptionsResult Validate(string? name, CorsSettings options)
    {
        var wrong = options.Origins.Where(origin => origin.Length > 0 && !IsOrigin(origin)).ToList();
        return wrong.Count == 0
            ? ValidateOptionsResult.Success
            : ValidateOptionsResult.Fail($"Cors:Origins: not an origin: {string.Join(", ", wrong)}.");
    }

    private static bool IsOrigin(string text) =>
        Uri.TryCreate(text, UriKind.Absolute, out var uri)
        && uri.Scheme is "http" or "https"
        && uri.GetLeftPart(UriPartial.Authority) == text;
}

/// <summary>The CORS policy. A key is sent in a header, never in a cookie.</summary>
internal sealed class CrossOrigin(IOptions<CorsSettings> settings, IHostEnvironment environment)
    : IConfigureOptions<CorsOptions>
{
    /// <summary>The response headers that a script may read besides the few that are always allowed.</summary>
    public static IReadOnlyList<string> Exposed { get; } =
    [
        "ETag", "Link", ConsistencyToken.Header, "Retry-After",
        CallerRateLimiter.StateHeader, CallerRateLimiter.PolicyHeader, "Deprecation", "Sunset",
        "Content-Disposition", ExportDocuments.LimitHeader, "WWW-Authenticate",
    ];

    public void Configure(CorsOptions options) => options.AddDefaultPolicy(policy => policy
        .SetIsOriginAllowed(IsAllowed)
        .WithMethods(HttpMethods.Get, HttpMethods.Head)
        .WithHeaders("Accept", "Authorization", "If-None-Match", ConsistencyToken.Header)
        .WithExposedHeaders([.. Exposed])
        .SetPreflightMaxAge(TimeSpan.FromHours(1)));

    private bool IsAllowed(string origin) =>
        settings.Value.Origins.Contains(origin, StringComparer.OrdinalIgnoreCase)
        || (environment.IsDevelopment() && Uri.TryCreate(origin, UriKind.Absolute, out var uri) && uri.IsLoopback);
}
