using System.ComponentModel.DataAnnotations;
using System.Diagnostics.CodeAnalysis;
using System.Net;
using ApexShop.Access;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Webhooks.Delivering;

/// <summary>Section <c>Webhooks</c>: how events are sent to the addresses that an operator has entered.</summary>
internal sealed class WebhookOptions
{
    public const string Section = "Webhooks";

    /// <summary>
    /// The key from which the secrets of webhooks are derived: at least 32 bytes as base64, the same for all processes.
    /// Without it there are no webhooks, and a webhook made with another key is not delivered.
    /// </summary>
    [Base64String, RegularExpression(SigningKey.Pattern)]
    [AllowNull]
    public string Key { get; set => field = value ?? ""; } = "";

    /// <summary>False: this process sends no events, and serves only the requests of operators.</summary>
    public bool Delivers { get; set; } = true;

    /// <summary>
    /// Networks (127.0.0.0/8) of receivers that are not public addresses; only to them, http is permitted too. Empty:
    /// only public addresses, and only https.
    /// </summary>
    public IList<string> PrivateNetworks { get; init; } = [];

    /// <summary>How long a receiver may take to respond.</summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "00:00:20")]
    public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>The pause after the first failed attempt; each further one doubles it.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "01:00:00")]
    public TimeSpan FirstPause { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>The longest pause between two attempts.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "1.00:00:00")]
    public TimeSpan LongestPause { get; set; } = TimeSpan.FromHours(1);

    /// <summary>An event that fails for this time is parked, until an operator replays or discards it.</summary>
    [Range(typeof(TimeSpan), "00:00:00", "30.00:00:00")]
    public TimeSpan ParkAfter { get; set; } = TimeSpan.FromDays(3);

    /// <summary>Events of one webhook that may be parked or wait; with more, no further event is sent.</summary>
    [Range(1, 100_000)]
    public int WaitingEvents { get; set; } = 1_000;

    /// <summary>Webhooks that one process delivers at a time.</summary>
    [Range(1, 1_000)]
    public int Concurrency { get; set; } = 8;

    /// <summary>How often a process looks for events that have to be sent.</summary>
    [Range(typeof(TimeSpan), "00:00:00.010", "00:01:00")]
    public TimeSpan PollInterval { get; set; } = TimeSpan.FromMilliseconds(500);

    public bool IsOn => Key.Length > 0;

    /// <summary>The pause after so many failed attempts.</summary>
    public TimeSpan PauseAfter(int failures) =>
        TimeSpan.FromTicks((long)Math.Min(LongestPause.Ticks, FirstPause.Ticks * Math.Pow(2, failures - 1)));
}

[OptionsValidator]
internal sealed partial class WebhookOptionsValidator : IValidateOptions<WebhookOptions>;

/// <summary>Refuses a private network that is not one: its receivers would get nothing.</summary>
internal sealed class PrivateNetworkValidator : IValidateOptions<WebhookOptions>
{
    public ValidateOptionsResult Validate(string? name, WebhookOptions options)
    {
        var invalid = options.PrivateNetworks.Where(text => !IPNetwork.TryParse(text, out _)).ToList();
        return invalid.Count == 0
            ? ValidateOptionsResult.Success
            : ValidateOptionsResult.Fail($"Webhooks:PrivateNetworks: not a network: {string.Join(", ", invalid)}.");
    }
}
