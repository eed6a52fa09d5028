using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Cors.Infrastructure;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace ApexShop.Hosting;

/// <summary>Section <c>Cors</c>: the allowed origins; in Development those of this machine are allowed too.</summary>
public sealed class CorsSettings
{
    public const string Section = "Cors";

    /// <summary>
    /// The origins whose scripts may use the API, such as <c>https://shop.example</c>: scheme and host, and the port if
    /// it is not the usual one. Commands.Api needs that of the storefront, Queries.Api that of <c>/admin</c>.
    /// </summary>
    public IList<string> Origins { get; init; } = [];

    /// <summary>Whether a browser sends an origin in this form.</summary>
    public static bool IsOrigin(string text) =>
        Uri.TryCreate(text, UriKind.Absolute, out var uri)
        && uri.Scheme is "http" or "https"
        && uri.GetLeftPart(UriPartial.Authority) == text;
}

/// <summary>An origin in a form that no browser sends would never match.</summary>
public sealed class CorsSettingsValidator : IValidateOptions<CorsSettings>
{
    public ValidateOptionsResult Validate(string? name, CorsSettings options)
    {
        var wrong = options.Origins.Where(origin => origin.Length > 0 && !CorsSettings.IsOrigin(origin)).ToList();
        return wrong.Count == 0
            ? ValidateOptionsResult.Success
            : ValidateOptionsResult.Fail($"Cors:Origins: not an origin: {string.Join(", ", wrong)}.");
    }
}

/// <summary>What a script of an allowed origin may send, and which headers of the response it may read.</summary>
public sealed record CrossOriginRules(string[] Methods, string[] Headers, string[] Exposed)
{
    // A browser compares other methods with the permitted ones, but not GET, HEAD and POST. So a request with a method
    // that is not permitted gets no permission of any kind.
    internal bool Concern(HttpRequest request)
    {
        if (request.Headers.Origin.Count == 0) return false;
        var isPreflight = HttpMethods.IsOptions(request.Method);
        var method = isPreflight ? request.Headers.AccessControlRequestMethod.ToString() : request.Method;
        return Methods.Contains(method, StringComparer.OrdinalIgnoreCase);
    }
}

/// <summary>The CORS policy. A key or a token is sent in a header, never in a cookie.</summary>
public sealed class CrossOrigin(IOptions<CorsSettings> settings, IHostEnvironment environment, CrossOriginRules rules)
    : IConfigureOptions<CorsOptions>
{
    public void Configure(CorsOptions options) => options.AddDefaultPolicy(policy => policy
        .SetIsOriginAllowed(IsAllowed)
        .WithMethods(rules.Methods)
        .WithHeaders(rules.Headers)
        .WithExposedHeaders(rules.Exposed)
        .SetPreflightMaxAge(TimeSpan.FromHours(1)));

    private bool IsAllowed(string origin) =>
        settings.Value.Origins.Contains(origin, StringComparer.OrdinalIgnoreCase)
        || (environment.IsDevelopment() && Uri.TryCreate(origin, UriKind.Absolute, out var uri) && uri.IsLoopback);
}

/// <summary>Registers the policy of a process.</summary>
public static class CrossOriginRegistration
{
    public static void AddCrossOrigin(this IServiceCollection services, CrossOriginRules rules)
    {
        services.AddOptionsWithValidateOnStart<CorsSettings, CorsSettingsValidator>()
            .BindConfiguration(CorsSettings.Section);
        services.AddSingleton(rules);
        services.AddSingleton<IConfigureOptions<CorsOptions>, CrossOrigin>();
        services.AddCors();
    }

    /// <summary>
    /// Must come before everything that rejects a request: a page of another origin may read an error too, and a
    /// preflight has no key.
    /// </summary>
    // The framework's middleware resolves its services before it finds that there is nothing to do.
    public static void UseCrossOrigin(this IApplicationBuilder app)
    {
        var rules = app.ApplicationServices.GetRequiredService<CrossOriginRules>();
        app.UseWhen(http => rules.Concern(http.Request), crossing => crossing.UseCors());
    }
}
