using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Projector.EventLog;

/// <summary>Section <c>EventLog</c>: where Commands.Api serves the log, and a key that may read it.</summary>
internal sealed class EventLogOptions : IValidatableObject
{
    public const string Section = "EventLog";

    /// <summary>The address of Commands.Api, without a path, from which the event log is read.</summary>
    [Required]
    public Uri Url { get; set; } = null!;

    /// <summary>
    /// Addresses of other Commands.Api processes, without a path, used in this order when one cannot be reached, hangs
    /// or is unavailable (502, 503, 504).
    /// </summary>
    public IList<Uri> Fallbacks { get; init; } = [];

    /// <summary>
    /// The API key for the event log, with <c>events:read</c>, <c>orders:read</c> and <c>users:read</c>.
    /// </summary>
    [Required]
    public string ApiKey { get; set; } = "";

    // A request is sent to the same path at each address.
    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext) =>
        Fallbacks.Prepend(Url).All(IsWithoutPath)
            ? []
            : [new($"{Section}:{nameof(Url)} and {nameof(Fallbacks)} must be http or https URLs without a path.")];

    private static bool IsWithoutPath(Uri address) =>
        address is { IsAbsoluteUri: true, Scheme: "http" or "https", PathAndQuery: "/", Fragment: "", UserInfo: "" };
}

[OptionsValidator]
internal sealed partial class EventLogOptionsValidator : IValidateOptions<EventLogOptions>;
