using ApexShop.TestKit;
namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>
/// The real cache in every order of a few events and in very many orders of all; no response is older than its tags, or
/// than an earlier response of the same process.
/// </summary>
public sealed class InterleavingTests
{
    private const int Schedules = 100_000;
    private const int Steps = 60;

    private static readonly int[][] questions = [[0], [0, 1], [1, 2]];

    /// <summary>One or two processes; a read, a commit, its raise and the announcement, in every order.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Two_readers_and_a_writer_in_every_order(int processes)
    {
        var orders = 0;
        foreach (var order in Orders([4, 4, 3 + processes - 1]))
        {
            orders++;
            Pump.Run(pump => Play(pump, processes, order));
        }

        orders.ShouldBe(processes == 1 ? 11_550 : 34_650);
    }

    [Fact]
    public void Who_waited_for_a_place_gets_what_was_read_meanwhile() => Pump.Run(pump =>
    {
        var clock = new ManualClock();
        var shop = new ModelShop(clock);
        var process = new ModelProcess(shop, clock);
        Live(shop, process);
        shop.IsRedisUp = false;
        var first = process.AskAsync([0], isFresh: false, hasWaited: true);
        Finish(pump, [process], [first], "the first");

        process.AskAsync([0], isFresh: false, hasWaited: true).IsCompletedSuccessfully.ShouldBeTrue("nothing is read");
    });

    [Fact]
    public void A_hundred_thousand_schedules_of_everything()
    {
        var kept = 0;
        for (var seed = 0; seed < Schedules; seed++)
        {
            Pump.Run(pump => kept += Play(pump, new Random(seed), $"schedule {seed}"));
        }

        // The test would be worthless if nothing was ever cached.
        kept.ShouldBeGreaterThan(Schedules / 2);
    }

    // The first two numbers are the readers' steps (ask, get Redis's response, take the snapshot, get the answer), the
    // third the writer's: commit, raise, then each process receives.
    private static void Play(Pump pump, int count, int[] order)
    {
        var clock = new ManualClock();
        var shop = new ModelShop(clock);
        ModelProcess[] processes = [.. Enumerable.Range(0, count).Select(_ => new ModelProcess(shop, clock))];
        foreach (var process in processes) Live(shop, process);
        var asked = new List<Task>();
        var done = new int[3];
        foreach (var who in order)
        {
            var step = done[who]++;
            if (who < 2) Read(processes[who % count], step, asked);
            else if (step == 0) shop.Commit(0);
            else if (step == 1) shop.Raise();
            else HearNext(processes[step - 2]);
            pump.Settle();
            clock.Advance(TimeSpan.FromTicks(1));
        }

        foreach (var process in processes) asked.Add(process.AskAsync([0], false));
        Finish(pump, processes, asked, string.Concat(order));
    }

    private static void Read(ModelProcess process, int step, List<Task> asked)
    {
        if (step == 0) asked.Add(process.AskAsync([0], false));
        // A read that joined another has no steps.
        else if (process.Reads.Count > 0) Take(process.Reads, 0)();
    }

    private static int Play(Pump pump, Random random, string name)
    {
        var clock = new ManualClock();
        var shop = new ModelShop(clock);
        // Few slots: tags share them.
        ModelProcess[] processes = [new(shop, clock, 2), new(shop, clock) { IsCheap = random.Next(2) == 0 }];
        foreach (var process in processes) Live(shop, process);
        var asked = new List<Task>();
        for (var i = 0; i < Steps; i++)
        {
            var process = processes[random.Next(processes.Length)];
            if (!ModelSteps.Happen(random.Next(100), random, shop, process, clock))
            {
                asked.Add(process.AskAsync(questions[random.Next(questions.Length)], random.Next(8) == 0));
            }

            pump.Settle();
            clock.Advance(TimeSpan.FromTicks(1));
        }

        Finish(pump, processes, asked, name);
        return processes.Sum(process => process.Kept);
    }

    private static void Live(ModelShop shop, ModelProcess process)
    {
        shop.Echo(process);
        while (process.Coming.Count > 0) HearNext(process);
        if (!process.Fence.IsLive) throw new ShouldAssertException("the first echo makes it live");
    }

    private static void Finish(Pump pump, ModelProcess[] processes, List<Task> asked, string name)
    {
        pump.Settle();
        while (processes.FirstOrDefault(process => process.Reads.Count > 0) is { } reading)
        {
            Take(reading.Reads, 0)();
            pump.Settle();
        }

        if (asked.Exists(task => !task.IsCompleted))
            throw new ShouldAssertException($"{name}: a request was left waiting");
        if (asked.Find(task => task.IsFaulted) is { Exception: { } wrong })
            throw new ShouldAssertException(name, wrong);
    }

    private static void HearNext(ModelProcess process)
    {
        if (process.Coming.Count > 0) process.Hear(Take(process.Coming, 0));
    }

    private static T Take<T>(List<T> list, int index)
    {
        var taken = list[index];
        list.RemoveAt(index);
        return taken;
    }

    private static IEnumerable<int[]> Orders(int[] left)
    {
        if (left.All(count => count == 0)) yield return [];
        for (var who = 0; who < left.Length; who++)
        {
            if (left[who] == 0) continue;
            left[who]--;
            foreach (var rest in Orders([.. left])) yield return [who, .. rest];
            left[who]++;
        }
    }
}
