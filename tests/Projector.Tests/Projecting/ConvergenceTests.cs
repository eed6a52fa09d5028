using ApexShop.Events;
using ApexShop.Projector.Tests.Harness;
using FsCheck;
using FsCheck.Fluent;

namespace ApexShop.Projector.Tests.Projecting;

public sealed class ConvergenceTests(ReadStore store) : ProjectorTest(store)
{
    [Fact]
    public void Messages_shuffled_doubled_cut_and_lost_end_in_the_documents_of_the_log()
    {
        var property = Prop.ForAll(RandomHistory.Numbers, Gen.Choose(0, 1_000_000).ToArbitrary(), (numbers, seed) =>
            HoldsAsync(numbers, seed).GetAwaiter().GetResult());
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(25).WithQuietOnSuccess(true), property);
    }

    [Fact]
    public void Queries_show_every_name_at_once_whatever_documents_are_written_later()
    {
        var property = Prop.ForAll(RandomHistory.Numbers, Gen.Choose(0, 1_000_000).ToArbitrary(), (numbers, seed) =>
            ShowsAsync(numbers, new Random(seed)).GetAwaiter().GetResult());
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(15).WithQuietOnSuccess(true), property);
    }

    private async Task<bool> ShowsAsync(int[] numbers, Random random)
    {
        using var history = new EventHistory();
        RandomHistory.Fill(history, numbers);
        await Store.ClearAsync();
        await using var projector = new TestProjector(Store.Database.Projector, history, mostAtOnce: random.Next(2));
        var applied = new List<LogEntry>();
        foreach (var message in Runs(history.Entries))
        {
            applied.AddRange(message);
            await projector.ApplyAsync(message);
            if (random.Next(4) == 0) await projector.ApplyAsync(applied[random.Next(applied.Count)]);
            if (random.Next(3) == 0) await projector.Names.RefreshNextAsync(CancellationToken.None);
            (await Store.ShownAsync()).ShouldBe(new Recomputation(applied).Living());
        }

        await projector.RefreshNamesAsync();
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(history.Entries).Documents());
        (await Store.TornRowsAsync()).ShouldBe(0);
        return true;
    }

    private async Task<bool> HoldsAsync(int[] numbers, int seed)
    {
        using var history = new EventHistory();
        RandomHistory.Fill(history, numbers);

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
        if (healed) await projector.Watch.CompareAsync(CancellationToken.None);
        return await Store.DocumentsAsync();
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
}
