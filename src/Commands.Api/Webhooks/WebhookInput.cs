using System.ComponentModel.DataAnnotations;
using System.Globalization;
using System.Security.Claims;
using ApexShop.Access;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Commands.Validation;
using ApexShop.Commands.Api.Events;
using ApexShop.Commands.Api.Limits;
using ApexShop.Commands.Api.Webhooks.Delivering;
using ApexShop.Events;

namespace ApexShop.Commands.Api.Webhooks;

/// <summary>A webhook as it is created and replaced.</summary>
internal static class WebhookInput
{
    private static readonly Problem noEvents = new(
        StatusCodes.Status403Forbidden, "access.scope_missing",
        $"The API key does not have {Scopes.EventsRead}, which a webhook needs.");

    /// <param name="Url">The address of the receiver; no other webhook has it.</param>
    /// <param name="Description">What the webhook is for.</param>
    /// <param name="Types">The types of the events that are sent; without it, or empty, all.</param>
    /// <param name="IsActive">Whether events are sent. After an inactive time, the events of that time follow.</param>
    public sealed record Body(
        [Required, ReceiverUrl] string Url,
        [SingleLine(FixedLimits.Name)] string Description = "",
        [EventTypeNames] string[]? Types = null,
        bool IsActive = true)
    {
        /// <summary>The address in one spelling, so that no two webhooks have the same.</summary>
        internal string Address => new Uri(Url).AbsoluteUri;
    }

    public static Problem NotFound(int id) => new(
        StatusCodes.Status404NotFound, "webhook.not_found",
        string.Create(CultureInfo.InvariantCulture, $"There is no webhook {id}."));

    public static Problem? Refusal(Body body, ReceiverAddresses addresses)
    {
        const int Limit = FixedLimits.ImageUrl;
        if (body.Address.Length > Limit)
            return Problem.Invalid("url", $"The address has more than {Limit} characters when it is encoded.");
        return addresses.Refusal(new Uri(body.Url)) is { } reason ? Problem.Invalid("url", reason) : null;
    }

    /// <summary>
    /// A webhook sends what its events contain, so a key that decides where they are sent must be permitted to read
    /// them.
    /// </summary>
    public static Problem? Refusal(ClaimsPrincipal caller, IReadOnlyCollection<string>? types)
    {
        if (!caller.HasScope(Scopes.EventsRead)) return noEvents;
        return EventScopes.Refusal(caller, Filter(types));
    }

    /// <summary>The events of these types; without any, all.</summary>
    public static EventFilter Filter(IReadOnlyCollection<string>? types) =>
        EventFilter.None with { Types = types is { Count: > 0 } ? types.ToHashSet() : null };
}

/// <summary>An absolute address with https, or with http for receivers in private networks.</summary>
[AttributeUsage(AttributeTargets.Parameter)]
internal sealed class ReceiverUrlAttribute() : TextFormAttribute(
    FixedLimits.ImageUrl,
    @"https?://[A-Za-z0-9._:\[\]-]+([/?][!-""$-~]*)?",
    "must be an absolute address with https or http, without user name and fragment.")
{
    public override bool IsValid(object? value) =>
        base.IsValid(value) && (value is not string text || Uri.TryCreate(text, UriKind.Absolute, out _));
}

/// <summary>Names of event types, each at most once.</summary>
[AttributeUsage(AttributeTargets.Parameter)]
internal sealed class EventTypeNamesAttribute : ValidationAttribute
{
    protected override ValidationResult? IsValid(object? value, ValidationContext validationContext)
    {
        if (value is not string[] names) return ValidationResult.Success;
        var isKnown = names.All(name => EventTypes.All.Any(type => type.Name == name));
        return isKnown && names.Distinct().Count() == names.Length
            ? ValidationResult.Success
            : SingleLineAttribute.Invalid(validationContext, "must contain types of events, each once");
    }
}
