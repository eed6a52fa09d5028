namespace ApexShop.Prove.Histories;

/// <summary>
/// One command as its client meant it: an attempt, or all attempts that sent the same body under one Idempotency-Key.
/// </summary>
internal sealed record CommandUnit(IReadOnlyList<Attempt> Attempts)
{
    public Attempt First => Attempts[0];

    public Attempt? Acknowledged => Attempts.FirstOrDefault(attempt => attempt.Outcome == Outcome.Acknowledged);

    public static List<CommandUnit> Of(History history)
    {
        var units = new List<CommandUnit>();
        var keyed = new Dictionary<(string Key, long Body), List<Attempt>>();
        foreach (var attempt in history.Writes)
        {
            if (attempt.Key is null)
            {
                units.Add(new([attempt]));
            }
            else if (keyed.TryGetValue((attempt.Key, attempt.Body), out var others))
            {
                others.Add(attempt);
            }
            else
            {
                keyed[(attempt.Key, attempt.Body)] = [attempt];
                units.Add(new(keyed[(attempt.Key, attempt.Body)]));
            }
        }

        return units;
    }

    public List<LogEvent> OwnEvents(History history) => [.. Attempts.SelectMany(history.OwnEventsOf)];
}
