namespace ApexShop.Client;

/// <summary>Addresses of a shop, the caller's key, and how long and how often requests are tried.</summary>
public sealed record ShopClientOptions
{
    /// <summary>The address of Commands.Api.</summary>
    public required Uri Commands { get; init; }

    /// <summary>The address of Queries.Api.</summary>
    public required Uri Queries { get; init; }

    /// <summary>An API key or a customer's token; without it only public documents can be read.</summary>
    public string? Key { get; init; }

    /// <summary>How long one attempt may take; of a stream, until its headers.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// The same for commands that change any number of rows, or hash a password for each item: lists of users that are
    /// created or replaced, erasures, and what changes or deletes all rows of a kind.
    /// </summary>
    public TimeSpan LongTimeout { get; init; } = TimeSpan.FromSeconds(300);

    /// <summary>How long no byte of a stream may arrive while its reader waits for the next one.</summary>
    public TimeSpan StreamIdleTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>
    /// How often a request is repeated at most, apart from repetitions while an earlier attempt still runs.
    /// </summary>
    public int Retries { get; init; } = 4;

    /// <summary>The pause before the first retry; it doubles with each one, and up to a half is random.</summary>
    public TimeSpan RetryDelay { get; init; } = TimeSpan.FromMilliseconds(200);

    /// <summary>The longest pause. A longer <c>Retry-After</c> is not waited for: it is a problem.</summary>
    public TimeSpan LongestRetryDelay { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The clock of the pauses, and of <see cref="StreamIdleTimeout"/>.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>Only the name: the key must not be in a log.</summary>
    public override string ToString() => nameof(ShopClientOptions);
}
