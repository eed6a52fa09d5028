namespace ApexShop.Client.Requests;

/// <summary>
/// The tokens of the last commands, the newest last. One token does not include an earlier command that changed another
/// resource.
/// </summary>
internal sealed class KeptTokens
{
    // The shop refuses more.
    private const int Most = 8;

    private readonly Lock change = new();

    private volatile string? text;

    /// <summary>The tokens with commas between them; null without one.</summary>
    public string? Text
    {
        get => text;
        set
        {
            lock (change) text = Joined(Split(value));
        }
    }

    /// <summary>
    /// Adds a token as the newest, even if it is kept already, and removes the tokens that it includes.
    /// </summary>
    public void Add(string token, IReadOnlyList<string> included)
    {
        lock (change) text = Joined(Split(text).Except([token, .. included]).Append(token));
    }

    /// <summary>
    /// Removes the oldest of the tokens that were refused together. The refusal does not name the one that the shop
    /// does not accept, and a token from before a change of the shop's key is older than all that are accepted.
    /// </summary>
    public void RemoveOldest(string refused)
    {
        var oldest = Split(refused)[0];
        lock (change) text = Joined(Split(text).Where(token => token != oldest));
    }

    private static string[] Split(string? tokens) =>
        tokens?.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries) ?? [];

    private static string? Joined(IEnumerable<string> tokens) =>
        string.Join(", ", tokens.Distinct().TakeLast(Most)) is { Length: > 0 } joined ? joined : null;
}
