using ApexShop.TestKit;
namespace ApexShop.Queries.Api.Tests.Caching;

/// <summary>The events of a schedule besides requests.</summary>
internal static class ModelSteps
{
    /// <summary>False for the numbers that leave the step to a request.</summary>
    public static bool Happen(int dice, Random random, ModelShop shop, ModelProcess process, ManualClock clock)
    {
        switch (dice)
        {
            case < 8: shop.Commit(random.Next(ModelShop.Tags)); break;
            case < 15: shop.Raise(); break;
            case < 16: shop.Raise(everything: true); break;
            case < 30: Hear(random, process, 0, isRemoved: true); break;
            case < 32: Hear(random, process, random.Next(3), isRemoved: true); break;
            case < 33: Hear(random, process, 0, isRemoved: false); break;
            case < 35: Lose(process.Coming); break;
            case < 40: shop.Echo(process); break;
            case < 62: Read(random, process); break;
            case < 63: Disconnect(random, process); break;
            case < 66: Connect(process); break;
            case < 67: shop.LoseData(); break;
            case < 69: shop.IsRedisUp = random.Next(4) > 0; break;
            case < 70: shop.DropKey(random); break;
            case < 72: clock.Advance(TimeSpan.FromMilliseconds(random.Next(3_000))); break;
            case < 73: clock.Advance(TimeSpan.FromSeconds(130)); break;
            default: return false;
        }

        return true;
    }

    private static void Hear(Random random, ModelProcess process, int index, bool isRemoved)
    {
        if (index >= process.Coming.Count) return;
        var said = process.Coming[index];
        // Not removed, it is received again at any later time.
        process.Coming.RemoveAt(index);
        if (!isRemoved) process.Coming.Insert(random.Next(process.Coming.Count + 1), said);
        process.Hear(said);
    }

    private static void Lose(List<Announcement> coming)
    {
        if (coming.Count > 0) coming.RemoveAt(0);
    }

    private static void Read(Random random, ModelProcess process)
    {
        if (process.Reads.Count == 0) return;
        var next = process.Reads[random.Next(process.Reads.Count)];
        process.Reads.Remove(next);
        next();
    }

    // Messages that were sent before may still be received, late.
    private static void Disconnect(Random random, ModelProcess process)
    {
        process.IsSubscribed = false;
        if (random.Next(2) == 0) process.Coming.Clear();
        if (random.Next(2) == 0) process.Fence.Suspend();
    }

    private static void Connect(ModelProcess process)
    {
        process.Fence.Suspend();
        process.IsSubscribed = true;
    }
}
