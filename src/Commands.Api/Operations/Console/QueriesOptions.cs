using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Operations.Console;

/// <summary>Section <c>Queries</c>.</summary>
internal sealed class QueriesOptions
{
    public const string Section = "Queries";

    /// <summary>Addresses of the Queries.Api processes, each of which has its own cache.</summary>
    [HttpUrls]
    public IList<Uri> Urls { get; init; } = [];
}

[OptionsValidator]
internal sealed partial class QueriesOptionsValidator : IValidateOptions<QueriesOptions>;
