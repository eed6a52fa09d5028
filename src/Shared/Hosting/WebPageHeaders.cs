using Microsoft.AspNetCore.Http;

namespace ApexShop.Hosting;

/// <summary>The security headers of every page that a process serves.</summary>
public static class WebPageHeaders
{
    /// <summary>Sets the page's own policy and the headers that all pages share.</summary>
    public static void Harden(IHeaderDictionary headers, string policy)
    {
        headers.ContentSecurityPolicy = policy;
        headers.XContentTypeOptions = "nosniff";
        headers["Referrer-Policy"] = "no-referrer";
        headers["Cross-Origin-Opener-Policy"] = "same-origin";
    }
}
