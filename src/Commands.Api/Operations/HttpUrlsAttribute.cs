using System.ComponentModel.DataAnnotations;

namespace ApexShop.Commands.Api.Operations;

/// <summary>Each address is absolute and of HTTP; another one would fail with each request to it.</summary>
[AttributeUsage(AttributeTargets.Property)]
internal sealed class HttpUrlsAttribute()
    : ValidationAttribute("Each of {0} must be an absolute address with http or https.")
{
    public override bool IsValid(object? value) =>
        value is IEnumerable<Uri> urls && urls.All(url => url is { IsAbsoluteUri: true, Scheme: "http" or "https" });
}
