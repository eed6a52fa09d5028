using System.Globalization;
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
        var (rest, all) = (history.Rest.Views, history.Attempts);
        var kinds = history.Attempts.Select(attempt => attempt.Operation).Distinct().Count();
        return string.Create(
            CultureInfo.InvariantCulture,
            $"""
            {all.Count:N0} requests of {kinds} kinds, {history.Log.Count:N0} events, {history.Header.FaultsDone} faults
              commands: {Counts(reads: false)}
              reads:    {Counts(reads: true)}
              at rest:  {rest.Sum(view => view.Documents.Count):N0} documents in {rest.Count} lists
            """);
    }

    private static string Name(Outcome outcome) => outcome switch
    {
        Outcome.Acknowledged => "acknowledged",
        Outcome.Refused => "refused",
        _ => "without an answer",
    };
}
