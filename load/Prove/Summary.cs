using System.Globalization;
using ApexShop.Prove.Checks;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove;

/// <summary>The counts of a history as text.</summary>
internal static class Summary
{
    public static string Of(History history)
    {
        var outcomes = history.Attempts
            .GroupBy(attempt => (History.OperationOf(attempt).IsRead, attempt.Outcome))
            .ToDictionary(same => same.Key, same => same.Count());
        string Counts(bool reads) => string.Join(", ", Enum.GetValues<Outcome>().Select(outcome => string.Create(
            CultureInfo.InvariantCulture, $"{outcomes.GetValueOrDefault((reads, outcome)):N0} {Name(outcome)}")));
        var (rest, lists, all) = (history.Rest.Views, history.Rest.Lists, history.Attempts);
        var kinds = history.Attempts.Select(attempt => attempt.Operation).Distinct().Count();
        var (refusals, more) = (RefusalCheck.Count(history), Operated(history) + Filled(history));
        return string.Create(
            CultureInfo.InvariantCulture,
            $"""
            {all.Count:N0} requests of {kinds} kinds, {history.Log.Count:N0} events, {history.Header.FaultsDone} faults
              commands: {Counts(reads: false)}
              refusals: {refusals.Judged:N0} of {refusals.All:N0} with a reason that the log can show
              reads:    {Counts(reads: true)}
              at rest:  {rest.Sum(view => view.Documents.Count):N0} documents in {rest.Count} lists
                        {lists.Sum(list => list.Pages.Count):N0} pages of {lists.Count:N0} lists{more}
            """);
    }

    // What became of an operator's commands: a run whose rebuilds are all refused has attacked less than it seems.
    private static string Operated(History history) =>
        history.Header.Operated is { Count: > 0 } replies
            ? "\n  operator: " + string.Join(", ", replies.CountBy(reply => reply.ToString())
                .OrderByDescending(same => same.Value).Select(same => $"{same.Value} {same.Key}"))
            : "";

    // Messages may be lost: a consumer then reads the log.
    private static string Filled(History history) => string.Concat(
        from consumer in history.Rest.Consumers
        where consumer.Filled > 0
        select $"\n  {consumer.Source}: {consumer.Filled} of {consumer.Positions.Count} events from the log only");

    private static string Name(Outcome outcome) => outcome switch
    {
        Outcome.Acknowledged => "acknowledged",
        Outcome.Refused => "refused",
        _ => "without an answer",
    };
}
