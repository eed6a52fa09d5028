using ApexShop.Events;
using FsCheck;
using FsCheck.Fluent;

namespace ApexShop.Projector.Tests;

public sealed class ConvergenceTests(ReadStore store) : ProjectorTest(store)
{
    private static readonly string[] statuses = ["Pending", "Delivered", "Cancelled"];

    /// <summary>A history is a list of numbers, each of which is taken apart into one event.</summary>
    private static Arbitrary<int[]> Histories { get; } =
        Arb.From(Gen.ArrayOf(Gen.Choose(0, 1_000_000)).Resize(70), Shorter);

    [Fact]
    public void Messages_shuffled_doubled_cut_and_lost_end_in_the_documents_of_the_log()
    {
        var property = Prop.ForAll(Histories, Gen.Choose(0, 1_000_000).ToArbitrary(), (numbers, seed) =>
            HoldsAsync(numbers, seed).GetAwaiter().GetResult());
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(25).WithQuietOnSuccess(true), property);
    }

    private async Task<bool> HoldsAsync(int[] numbers, int seed)
    {
        using var history = new EventHistory();
        foreach (var number in numbers) AddEvent(history, Math.Abs(number));

        var inOrder = await ProjectAsync(history, Runs(history.Entries), healed: false);
        var random = new Random(seed);
        history.MostEntries = random.Next(1, 6);
        var mixed = await ProjectAsync(history, Mixed(history.Entries, random), healed: true);

        mixed.ShouldBe(inOrder);
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(history.Entries).Documents());
        (await Store.TornRowsAsync()).ShouldBe(0);
        (await Store.WrongSegmentsAsync()).ShouldBe(0);
        (await Store.WrongAsidesAsync()).ShouldBe(0);
        return true;
    }

    private async Task<SortedDictionary<string, string>> ProjectAsync(
        EventHistory history, IEnumerable<IEnumerable<LogEntry>> messages, bool healed)
    {
        await Store.ClearAsync();
        await using var projector = new TestProjector(Store.Database.Projector, history);
        foreach (var message in messages) await projector.ApplyAsync(message);
        // A lost last message leaves no hole; only the look into the log finds it.
        if (healed) await projector.Watch.LookAsync(CancellationToken.None);
        return await Store.DocumentsAsync();
    }

    // A counterexample is shortened by leaving out halves, then single events; smaller numbers would say nothing more.
    private static IEnumerable<int[]> Shorter(int[] numbers)
    {
        if (numbers.Length > 1) yield return numbers[..(numbers.Length / 2)];
        if (numbers.Length > 1) yield return numbers[(numbers.Length / 2)..];
        for (var i = 0; i < numbers.Length; i++) yield return [.. numbers[..i], .. numbers[(i + 1)..]];
    }

    // As the publisher sends them: what follows each other in one resource is one message.
    private static IEnumerable<IEnumerable<LogEntry>> Runs(List<LogEntry> entries)
    {
        var start = 0;
        for (var i = 1; i <= entries.Count; i++)
        {
            if (i < entries.Count && entries[i].Resource == entries[start].Resource) continue;
            if (i > start) yield return entries[start..i];
            start = i;
        }
    }

    private static List<LogEntry[]> Mixed(List<LogEntry> entries, Random random)
    {
        var messages = new List<LogEntry[]>();
        foreach (var resource in entries.GroupBy(entry => entry.Resource))
        {
            var rest = resource.ToList();
            while (rest.Count > 0)
            {
                var message = rest.Take(random.Next(1, 8)).ToList();
                rest.RemoveRange(0, message.Count);
                // Some come twice, some never, some with a piece torn out of the middle.
                if (random.Next(4) == 0) messages.Add([.. message]);
                if (random.Next(6) == 0) continue;
                if (message.Count > 2 && random.Next(4) == 0) message.RemoveAt(random.Next(1, message.Count - 1));
                messages.Add([.. message]);
            }
        }

        return [.. messages.OrderBy(_ => random.Next())];
    }

    private static void AddEvent(EventHistory history, int number)
    {
        int Take(int choices)
        {
            var choice = number % choices;
            number /= choices;
            return choice;
        }

        var resource = Resources.All[Take(5)];
        var id = Take(4) + (Take(2) * 498);
        if (Take(6) == 0)
        {
            // Nothing happens to an aggregate that was never there or is gone: ids are not used again.
            if (history.Lives(resource, id)) history.Delete(resource, id);
            return;
        }

        if (history.IsGone(resource, id)) return;
        switch (resource)
        {
            case Resources.Categories: history.Category(id, $"Category {Take(3)}"); break;
            case Resources.Users: history.User(id, $"First{Take(2)}", $"{(char)('A' + Take(3))}ast"); break;
            case Resources.Products: history.Product(id, $"Product {Take(3)}", category: Take(4), stock: Take(2)); break;
            case Resources.Reviews: history.Review(id, product: Take(4), user: Take(4), rating: 1 + Take(5)); break;
            default: history.Order(id, user: Take(4), statuses[Take(3)], (Take(4), 1 + Take(2), 1.25m), (498, 1, 0.1m)); break;
        }
    }
}
