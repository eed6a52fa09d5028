using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Commands;

/// <summary>Section <c>PublicUrls</c>: the addresses that clients use.</summary>
internal sealed class PublicUrlsOptions
{
    public const string Section = "PublicUrls";

    /// <summary>
    /// The public address of Queries.Api, for the header Location and for the pages of <c>/admin</c>, which read there.
    /// </summary>
    [Required, Url]
    public string Queries { get; set; } = "http://localhost:5200";
}

[OptionsValidator]
internal sealed partial class PublicUrlsValidator : IValidateOptions<PublicUrlsOptions>;
