using Microsoft.AspNetCore.Http;

namespace ApexShop.Hosting;

/// <summary>What every page that a process serves tells a browser.</summary>
internal static class PageHeaders
{
    /// <summary>Sets the page's own policy and what is the same for all.</summary>
    public static void Harden(IHeaderDictionary headers, string policy)
    {
        headers.ContentSecurityPolicy = policy;
        headers.XContentTypeOptions = "nosniff";
        headers["Referrer-Policy"] = "no-referrer";
        headers["Cross-Origin-Opener-Policy"] = "same-origin";
    }
}
